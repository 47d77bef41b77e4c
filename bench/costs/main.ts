/**
 * What 1, 100 and 10,000 documents cost on Cloudflare, per strategy, with and without a text model: tokens by the product's own estimate
 * and price table, rows, vectors and bytes measured per chunk in a local Loam (without a text model; with one there are more entities).
 *
 * `npm run bench costs -- [--measured 100]` prints the tables of docs/deploy.md.
 */

import { parseArgs } from 'node:util'
import type { Cost, Estimate } from '../../src/contract/estimates'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { estimate } from '../../src/flows/estimate'
import { usdOf } from '../../src/flows/prices'
import type { Models } from '../../src/ports/models'
import { perChunk } from '../costs/measured'
import { type Held, kept, PLAN, written } from '../costs/platform'
import { type Text, take, texts } from '../system/texts'

const { values } = parseArgs({ options: { measured: { type: 'string', default: '100' } } })
const SIZES = [1, 100, 10_000]
const STRATEGIES = ['vector', 'erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']
const DIMENSIONS = 1024
const QUESTIONS = 1000 // a month
const ANSWER = { in: 4350, out: 300, embedded: 20 } // tokens of one: evidence and prompt, answer, question

const embedding = { id: '@cf/baai/bge-m3', dimensions: DIMENSIONS, window: 512 } as Models['embedding']
const text = { id: '@cf/qwen/qwen3-30b-a3b-fp8', window: 32_000 } as Models['text']
const without = { embedding, text: null }
const withText = { embedding, text }

const dollars = (usd: number): string => (usd === 0 ? '0' : usd < 0.1 ? String(Number(usd.toPrecision(1))) : usd.toFixed(2))
const count = (n: number): string => (n < 10_000 ? Math.round(n).toLocaleString('en') : `${(n / 1e6).toFixed(n < 1e6 ? 2 : 1)} M`)
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function times(held: Held, chunks: number): Held {
  const { objectRows, d1Rows, vectors, object, d1 } = held
  return {
    objectRows: objectRows * chunks,
    d1Rows: d1Rows * chunks,
    vectors: vectors * chunks,
    object: object * chunks,
    d1: d1 * chunks,
  }
}

const figures = (of: Estimate, strategy: string): Cost & { bounds: { min: Cost; max: Cost } } => {
  const found = of.strategies[strategy]
  if (!found) throw new Error(`no estimate for ${strategy}`)
  return found
}

const documents = take(texts(), Math.max(...SIZES))
const held = new Map<string, Held>()
for (const strategy of STRATEGIES)
  held.set(strategy, await perChunk(strategy === 'vector' ? [] : [strategy], documents.slice(0, Number(values.measured))))

console.log(
  `One document: ${Math.round(documents.reduce((sum, one: Text) => sum + one.text.length, 0) / documents.length)} characters of English prose.\n`,
)
console.log('Measured per chunk:\n')
console.log(
  table(
    ['strategy', 'rows in the object', 'rows in D1', 'vectors', 'kB in the object', 'kB in D1'],
    [...held].map(([name, one]) => [
      name,
      ...[one.objectRows, one.d1Rows, one.vectors].map((n) => n.toFixed(1)),
      (one.object * 1e6).toFixed(0),
      (one.d1 * 1e6).toFixed(0),
    ]),
  ),
)

const sizes = SIZES.map((size) => size.toLocaleString('en'))
const some = SIZES.map((size) => documents.slice(0, size))
const plain = some.map((few) => estimate(few, { ...defaultSettings, writer: false }, without))
const writing = some.map((few) => estimate(few, { ...defaultSettings, writer: true }, withText))

const once = [...held].map(([strategy, one]) => {
  const total = (of: Estimate, cost: Cost): number => cost.usd + written(times(one, of.chunks)).whole
  const { min, max } = figures(writing.at(-1) as Estimate, strategy).bounds
  return [
    strategy,
    ...plain.map((of) => dollars(total(of, figures(of, strategy)))),
    ...writing.map((of) => dollars(total(of, figures(of, strategy)))),
    [min, max].map((cost) => dollars(total(writing.at(-1) as Estimate, cost))).join(' to '),
  ]
})
console.log('\nOnce, to take them in: models and rows, in dollars, nothing included.\n')
console.log(
  table(['strategy', ...sizes.map((n) => `${n}, no text model`), ...sizes.map((n) => `${n}, with one`), `bounds of ${sizes.at(-1)}`], once),
)

const monthly = [...held].map(([strategy, one]) => {
  const last = times(one, plain.at(-1)?.chunks ?? 0)
  const bills = plain.map((of) => dollars(PLAN + kept(times(one, of.chunks), DIMENSIONS, QUESTIONS).beyond))
  return [strategy, ...bills, count(last.vectors), (last.object + last.d1).toFixed(2), dollars(kept(last, DIMENSIONS, QUESTIONS).whole)]
})
console.log(
  `\nEach month with ${QUESTIONS.toLocaleString('en')} questions: the bill in dollars, the plan's ${PLAN} and its share included.\n`,
)
const max = sizes.at(-1)
console.log(table(['strategy', ...sizes, `vectors of ${max}`, `GB of ${max}`, `${max}, nothing included`], monthly))
console.log(`\nOne question: $${usdOf(without, ANSWER).toFixed(7)} without a text model, $${usdOf(withText, ANSWER).toFixed(5)} with one.`)
