/** `loam export`: streamed, to standard output or a file that appears only when it is whole. */
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LoamError } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure } from '../failure'
import { corpus, service } from '../options'
import { fields } from '../output'

export const exportCorpus = command(
  {
    usage: 'export [corpus]',
    summary: 'everything of a corpus, to standard output',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      format: text('jsonl (default; import takes it back) or graphml', { choices: ['jsonl', 'graphml'] }),
      output: text('to this file', { short: 'o' }),
    },
    examples: ['loam export birds -o birds.jsonl', 'loam export birds --format graphml >birds.graphml'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const exported = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    const { body } = await exported.export(values.format === 'graphml' ? 'graphml' : 'jsonl')
    const source = Readable.from(body ?? [])
    const { output } = values
    if (!output) return pipeline(source, process.stdout, { end: false }).catch(fail)
    const temporary = `${output}.part`
    try {
      await pipeline(source, createWriteStream(temporary)).catch(fail)
      renameSync(temporary, output)
    } finally {
      rmSync(temporary, { force: true })
    }
    const { size } = statSync(output)
    out.result(
      { corpus: exported.name, file: output, bytes: size },
      {
        people: () => `${exported.name} is in ${output} (${(size / 1e6).toFixed(1)} MB)`,
        plain: () => fields('export', exported.name, output, size),
      },
    )
  },
)

interface Cause {
  readonly code?: string
}

/** The file system and the service say what they mean; a connection that ended says little, and half an export is none. */
function fail(error: NodeJS.ErrnoException): never {
  if (error instanceof LoamError || error.syscall) throw error
  throw new Failure(`the export broke off (${(error.cause as Cause | undefined)?.code ?? error.code ?? error.message})`)
}
