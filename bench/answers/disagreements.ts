/** `npm run bench answers/disagreements`: which changes and conflicts of our own pairs are found, which pairs are told that are neither, and what looking costs a question. */
import { differingValue, statementOf } from '../../src/core/reader/differing-value'
import { disagreements } from '../../src/core/reader/disagreements'
import { terms } from '../../src/core/text/terms'
import { morePairs, type Pair, pairs } from '../../test/core/reader/differing-pairs'

const ROUNDS = 200

const told = (of: readonly Pair[], kind: string): string => {
  const own = of.filter((pair) => pair.kind === kind)
  const found = own.filter(({ before, after }) => {
    const [a, b] = [statementOf(before), statementOf(after)]
    return a && b && differingValue(a, b)
  })
  return `${kind}: ${found.length} of ${own.length} told`
}
for (const [name, of] of [
  ['the first 150', pairs],
  ['dates, short sentences, other languages', morePairs],
] as const)
  for (const kind of ['change', 'conflict', 'neither']) console.log(`${name}: ${told(of, kind)}`)

/** Ten passages of six sentences each, of which every one says a word of the question: more than a question usually meets. */
const sentences = pairs.map((pair) => pair.before)
const evidence = Array.from({ length: 10 }, (_, n) => ({
  id: `p_${n}`,
  document: `d${n}`,
  start: 0,
  text: sentences.slice(n * 6, n * 6 + 6).join(' '),
}))
const asked = new Map(terms(evidence.map((one) => one.text).join(' ')).map((term) => [term, { weight: 0.001, isKnown: true }]))
const usual = new Map(terms('What does the ferry to Norhaven cost?').map((term) => [term, { weight: 1, isKnown: true }]))
for (const [name, words] of [
  ['a question that every sentence answers in part', new Map([...asked].slice(0, 1))],
  ['a usual question', usual],
] as const) {
  const from = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) disagreements(evidence, words)
  const { user, system } = process.cpuUsage(from)
  console.log(`${name}: ${((user + system) / 1000 / ROUNDS).toFixed(3)} ms of the processor`)
}
