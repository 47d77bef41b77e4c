/** `loam export`: streamed, to standard output or a file that appears only when it is whole. */
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { corpusPath } from '../client.mjs'
import { Failure } from '../failure.mjs'
import { fields } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const name = positionals[0] ?? (await chosen({ client, corpus }))
  const { body } = await client.send('GET', corpusPath(name, '/export'), { query: { format: values.format } })
  const source = Readable.fromWeb(body)
  if (!values.output) return pipeline(source, process.stdout, { end: false }).catch(broken)
  const part = `${values.output}.part`
  try {
    await pipeline(source, createWriteStream(part)).catch(broken)
    renameSync(part, values.output)
  } finally {
    rmSync(part, { force: true })
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

/** The file system says what it means; a connection that ended says little, and half an export is none. */
function broken(error) {
  if (error.syscall) throw error
  throw new Failure(`the export broke off (${error.cause?.code ?? error.code ?? error.message})`)
}
