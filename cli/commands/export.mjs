/** `loam export`: streamed, to standard output or a file that appears only when it is whole. */
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { corpusPath } from '../client.mjs'
import { Failure } from '../failure.mjs'
import { fields } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

const TAIL = 16 * 1024 // bytes at the end of a part that are looked at; the mark that names the next is shorter

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const name = positionals[0] ?? (await chosen({ client, corpus }))
  const part = async (cursor) => (await client.send('GET', corpusPath(name, '/export'), { query: { format: values.format, cursor } })).body
  const source = Readable.from(parts(await part(), part))
  if (!values.output) return pipeline(source, process.stdout, { end: false }).catch(broken)
  const temporary = `${values.output}.part`
  try {
    await pipeline(source, createWriteStream(temporary)).catch(broken)
    renameSync(temporary, values.output)
  } finally {
    rmSync(temporary, { force: true })
  }
  const { size } = statSync(values.output)
  out.result(
    { corpus: name, file: values.output, bytes: size },
    {
      people: () => `${name} is in ${values.output} (${(size / 1e6).toFixed(1)} MB)`,
      plain: () => fields('export', name, values.output, size),
    },
  )
}

/** A large corpus comes in parts, each ending with a mark that says where to go on; put together as they come they are the export. */
export async function* parts(first, part) {
  for (let body = first; ; ) {
    let tail = Buffer.alloc(0)
    for await (const piece of body) {
      tail = Buffer.concat([tail, piece]).subarray(-TAIL)
      yield piece
    }
    const line = tail.toString('utf8').trimEnd().split('\n').at(-1)
    const cursor = line.startsWith('{"type":"next"') ? JSON.parse(line).cursor : /^<\?loam-next (\S+)\?>$/.exec(line)?.[1]
    if (cursor === undefined) return
    body = await part(cursor)
  }
}

/** The file system says what it means; a connection that ended says little, and half an export is none. */
function broken(error) {
  if (error instanceof Failure || error.syscall) throw error
  throw new Failure(`the export broke off (${error.cause?.code ?? error.code ?? error.message})`)
}
