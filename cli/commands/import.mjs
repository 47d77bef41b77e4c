/** `loam import`: an export of Loam as it is; GraphML and the folders of other systems as documents, the way `ingest` takes them. */
import { readFileSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { Failure, misuse } from '../failure.mjs'
import { exported } from '../ingest/exported.mjs'
import { takeIn } from '../ingest/run.mjs'
import { decoded } from '../reading/decoded.mjs'
import { baseOf, idIn } from '../reading/files.mjs'
import { foreignIn } from '../reading/foreign.mjs'
import { graphml } from '../reading/graphml.mjs'
import { fitted } from '../reading/split.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env, stdin }) {
  if (positionals.length === 0) throw misuse('what? loam import <file | folder>…')
  const { client, corpus } = connected({ values, env })
  const sources = positionals.map((path) => ({ path, read: sourceOf(path, values) }))
  const name = await chosen({ client, corpus })
  const ours = sources.filter(({ read }) => read === undefined).map(({ path }) => path)
  if (ours.length > 0) await exported({ client, corpus: name, paths: ours, out, wait: values.wait !== 'accepted' })
  const others = sources.filter(({ read }) => read !== undefined)
  if (others.length === 0) return
  async function* read() {
    for (const source of others)
      for await (const one of source.read())
        for (const document of fitted({ ...one, id: `${values.prefix ?? ''}${one.id}` })) yield { document }
  }
  await takeIn({ client, corpus: name, read, values, out, stdin })
}

/** Undefined: an export of Loam. */
function sourceOf(path, { base }) {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw misuse(`${path}: there is no such file or folder`)
  if (kind.isDirectory()) {
    const found = foreignIn(path)
    if (!found) throw misuse(`${path}: neither GraphRAG nor LightRAG left anything here that is known; \`loam ingest\` takes files`)
    return found
  }
  const file = { path: resolve(path) }
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
    case '.ndjson':
      return undefined
    case '.graphml':
      return async function* () {
        yield* graphml(decoded(readFileSync(path)), { id: idIn(baseOf([file], base), file.path) })
      }
    default:
      throw new Failure(`${path}: import takes .jsonl of \`loam export\`, .graphml, and folders of GraphRAG and LightRAG`, { exit: 2 })
  }
}
