/** `loam classify`: the label of a text, or of every line of standard input. Plain: label, confidence. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Classified } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { field, fields } from '../output'

const MAX_OTHERS = 4 // candidates shown beside the label

export const classify = command(
  {
    usage: 'classify [text | -]',
    summary: 'classify a text; `-` reads lines from standard input',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...corpus,
      learn: flag('keep the text as an example'),
      file: text('read the text from this file', { short: 'f' }),
    },
    examples: ['loam classify The invoice is wrong', 'loam classify - <tickets.txt >labels.tsv'],
  },
  async ({ values, positionals, out, env, stdin }) => {
    const labelled = await findCorpus(connect({ values, env }))
    for await (const text of readTexts(values.file, positionals.join(' '), stdin)) {
      const found = await labelled.classify({ text, ...(values.learn ? { learn: true } : {}) })
      out.result(found, { people: formatLabel, plain: ({ label, confidence }) => fields(label, confidence.toFixed(4)) })
    }
  },
)

async function* readTexts(file: string | undefined, given: string, stdin: NodeJS.ReadStream): AsyncGenerator<string> {
  if (file) yield readFileSync(file, 'utf8')
  else if (given !== '' && given !== '-') yield given
  else if (given === '-' || !stdin.isTTY) {
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) if (line.trim() !== '') yield line
  } else throw misuse('which text?')
}

function formatLabel({ label, confidence, candidates, learned }: Classified): string {
  const others = candidates.filter((one) => one.label !== label).slice(0, MAX_OTHERS)
  return [
    `${label === null ? 'no label' : field(label)}  (${confidence.toFixed(3)})`,
    ...others.map((one) => `  ${field(one.label)}  ${one.score.toFixed(3)}`),
    ...(learned ? [`learned as ${learned.id}`] : []),
  ].join('\n')
}
