/** `loam classify`: the label of a text, or of every line of standard input. Plain: label, confidence. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { corpusPath } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { field, fields } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env, stdin }) {
  const { client, corpus } = connected({ values, env })
  const path = corpusPath(await chosen({ client, corpus }), '/classify')
  for await (const text of textsOf({ values, positionals, stdin })) {
    const found = await client.call('POST', path, { body: { text, ...(values.learn ? { learn: true } : {}) } })
    out.result(found, { people: said, plain: ({ label, confidence }) => fields(label, confidence.toFixed(4)) })
  }
}

async function* textsOf({ values, positionals, stdin }) {
  const given = positionals.join(' ')
  if (values.file) yield readFileSync(values.file, 'utf8')
  else if (given !== '' && given !== '-') yield given
  else if (given === '-' || !stdin.isTTY) {
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) if (line.trim() !== '') yield line
  } else throw misuse('which text?')
}

function said({ label, confidence, candidates, learned }) {
  const others = candidates.filter((one) => one.label !== label).slice(0, 4)
  return [
    `${label === null ? 'no label' : field(label)}  (${confidence.toFixed(3)})`,
    ...others.map((one) => `  ${field(one.label)}  ${one.score.toFixed(3)}`),
    ...(learned ? [`learned as ${learned.id}`] : []),
  ].join('\n')
}
