/** `loam import`: an export of Loam with its labels; GraphML; the folders of other systems. All go in the way `ingest` takes documents. */
import { readFileSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { corpusPath } from '../client.mjs'
import { misuse } from '../failure.mjs'
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
  const sources = []
  for (const path of positionals) sources.push(await sourceOf(path, values))
  const target = await chosen({ client, corpus })
  const labels = sources.flatMap((source) => source.labels ?? [])
  async function* read() {
    for (const source of sources)
      for await (const one of source.documents())
        for (const document of fitted({ ...one, id: `${values.prefix ?? ''}${one.id}` })) yield { document }
  }
  const after = async () => ({ labels: await labelled(client, target, labels) })
  const config = sources.length === 1 ? sources[0].config : undefined
  await takeIn({ client, corpus: target, read, values, out, stdin, config, also: { count: labels.length, says: 'label', after } })
}

/** A label is its name: put again, it replaces itself. */
async function labelled(client, corpus, labels) {
  for (const { label, ...body } of labels) await client.call('PUT', corpusPath(corpus, `/labels/${encodeURIComponent(label)}`), { body })
  return labels.length
}

/** @returns {Promise<{documents: () => Iterable<object> | AsyncIterable<object>, labels?: object[], config?: object}>} */
async function sourceOf(path, { base }) {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw misuse(`${path}: there is no such file or folder`)
  if (kind.isDirectory()) {
    const documents = foreignIn(path)
    if (!documents) throw misuse(`${path}: neither GraphRAG nor LightRAG left anything here that is known; \`loam ingest\` takes files`)
    return { documents }
  }
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
    case '.ndjson':
      return exported(path)
    case '.graphml': {
      const file = resolve(path)
      return { documents: () => graphml(decoded(readFileSync(file)), { id: idIn(baseOf([{ path: file }], base), file) }) }
    }
    default:
      throw misuse(`${path}: import takes .jsonl of \`loam export\`, .graphml, and folders of GraphRAG and LightRAG`)
  }
}
