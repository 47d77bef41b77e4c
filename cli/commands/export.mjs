/** `loam export`: streamed, to standard output or a file that appears only when it is whole. */
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { corpusPath } from '../client.mjs'
import { Failure } from '../failure.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, out, env }) {
  const { client, corpus } = connected({ values, env })
  const name = await chosen({ client, corpus })
  const { body } = await client.send('GET', corpusPath(name, '/export'), { query: { format: values.format } })
  const source = Readable.fromWeb(body)
  const broken = (error) => {
    throw new Failure(`the export broke off (${error.cause?.code ?? error.code ?? error.message})`)
  }
  if (!values.output) return pipeline(source, process.stdout, { end: false }).catch(broken)
  const part = `${values.output}.part`
  try {
    await pipeline(source, createWriteStream(part)).catch(broken)
    renameSync(part, values.output)
  } finally {
    rmSync(part, { force: true })
  }
  out.note(`${name} is in ${values.output}`)
}
