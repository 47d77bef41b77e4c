/**
 * A corpus that grows: half of it, then ten times a twentieth, in a seeded order. After each step recall@5 of `auto` and `keyword` over the questions
 * whose gold is already there; at the end, whether the graph is the one a single build gives (calibration apart: it is made by schedule).
 *   node scripts/run-ts.mjs bench/quality/incremental.ts --data <folder> [--set dev_hotpot]
 */
import { parseArgs } from 'node:util'
import { links } from '../../src/core/builders/links'
import { mentions } from '../../src/core/builders/mentions'
import { stateHash } from '../../src/core/graph/fingerprint'
import { random } from '../../src/core/random'
import { auto } from '../../src/core/strategies/auto/auto'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { corpus, dataFolder } from './corpora'
import { indexed } from './memory'
import { mean, recall } from './metrics/ranking'

const { values } = parseArgs({ options: { data: { type: 'string' }, set: { type: 'string', default: 'dev_hotpot' } } })
const data = corpus(dataFolder(values.data), values.set, true)
const order = random('growth').shuffle(data.passages)
const half = Math.floor(order.length / 2)
const step = Math.ceil((order.length - half) / 10)
const builders = [mentions, links]
const grown = await indexed({ ...data, passages: order.slice(0, half) }, 'none', builders)
for (let at = half; ; at += step) {
  const present = new Set(order.slice(0, Math.min(at, order.length)).map((one) => one.id))
  const able = data.questions.filter((question) => question.gold.every((id) => present.has(id)))
  const scores = []
  for (const strategy of [auto, keyword]) {
    const found = []
    for (const question of able) found.push(recall((await grown.ask(strategy, question.text)).documents, question.gold, 5))
    scores.push(`${strategy.name} ${(100 * mean(found)).toFixed(1)}`)
  }
  console.log(`${present.size} documents, ${able.length} questions: recall@5 ${scores.join(', ')}`)
  if (at >= order.length) break
  await grown.add(order.slice(at, at + step))
}
const once = await indexed(data, 'none', builders)
console.log(`the grown graph ${stateHash(grown.graph.lines()) === stateHash(once.graph.lines()) ? 'is' : 'is NOT'} the one built at once`)
