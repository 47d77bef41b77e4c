/**
 * What taking documents in costs the object itself, without network, Workflow and embeddings: `npm run bench object [--strategies erarag,…]
 * [--batches 5]`. Run it under `node --cpu-prof` to see where the time goes.
 */
import { parseArgs } from 'node:util'
import { random } from '../src/core/random'
import { quantize } from '../src/core/vectors'
import { localObject } from './lib/object'
import { take, texts } from './system/texts'

const { values } = parseArgs({
  options: {
    strategies: { type: 'string', default: '' },
    batches: { type: 'string', default: '5' },
    size: { type: 'string', default: '200' },
    dimensions: { type: 'string', default: '512' },
  },
})
const dimensions = Number(values.dimensions)
const noise = random(7)
const pool = Array.from({ length: 997 }, () => quantize(Array.from({ length: dimensions }, () => noise.normal())))
let at = 0
const embed = (list: readonly string[]): Int8Array[] => list.map(() => pool[at++ % pool.length] as Int8Array)

const object = localObject(values.strategies.split(',').filter(Boolean), { dimensions })
const source = texts()
for (let batch = 0; batch < Number(values.batches); batch++) {
  const documents = take(source, Number(values.size)).map((one) => ({ ...one, url: null, metadata: {} }))
  const before = object.ledger.graph.count('chunk')
  const { accept, commit } = object.ingest(documents, embed)
  const made = object.ledger.graph.count('chunk') - before
  const total = object.ledger.graph.count('chunk')
  console.log(
    `${total} chunks: accept ${((1000 * accept) / made).toFixed(2)} ms, commit ${((1000 * commit) / made).toFixed(2)} ms per chunk`,
  )
}
