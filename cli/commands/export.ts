/** `loam export`: streams an export to standard output or a file. */
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { corpus, service } from '../options'
import { fields } from '../output'
import { printExport, writeExport } from '../write-export'

export const exportCorpus = command(
  {
    usage: 'export [corpus]',
    summary: 'export everything of a corpus to standard output',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      format: text('jsonl (default; `loam import` reads it) or graphml', { choices: ['jsonl', 'graphml'] }),
      output: text('write to this file', { short: 'o' }),
    },
    examples: ['loam export birds -o birds.jsonl', 'loam export birds --format graphml >birds.graphml'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const exported = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    const format = values.format === 'graphml' ? 'graphml' : 'jsonl'
    const { output } = values
    if (!output) return printExport(exported, format)
    const size = await writeExport(exported, format, output)
    out.result(
      { corpus: exported.name, file: output, bytes: size },
      {
        people: () => `${exported.name} is in ${output} (${(size / 1e6).toFixed(1)} MB)`,
        plain: () => fields('export', exported.name, output, size),
      },
    )
  },
)
