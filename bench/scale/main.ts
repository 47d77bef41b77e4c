/**
 * What one corpus costs its object as it grows: pages by a seeded generator, the default strategies, embeddings by the encoder that comes with Loam, Node on a file of SQLite.
 *   npm run bench scale [-- --sizes 2000,5000,10000,20000] [--strategies erarag,…] [--statements 12] [--questions 30] [--batch 320000]
 * Prints a table and writes it with a plot under bench/results/. `node --cpu-prof scripts/bench.mjs scale …` says which functions take the time.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { load } from '../lib/processor'
import { Corpus } from './corpus'
import { grow } from './growing'
import { GrowingObject } from './growing-object'
import { plot, table } from './report'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '2000,5000,10000,20000' },
    strategies: { type: 'string', default: defaultStrategies.join(',') },
    questions: { type: 'string', default: '30' },
    statements: { type: 'string', default: '0' },
    batch: { type: 'string', default: '320000' }, // bytes, as `loam ingest` sends them
    folder: { type: 'string', default: tmpdir() }, // where the database is made
    seed: { type: 'string', default: 'scale' },
  },
})
const folder = mkdtempSync(join(values.folder, 'loam-scale-'))
try {
  const object = new GrowingObject(join(folder, 'object.db'), values.strategies.split(',').filter(Boolean))
  const steps = await grow(object, new Corpus(values.seed), {
    sizes: values.sizes.split(',').map(Number),
    batch: Number(values.batch),
    questions: Number(values.questions),
    statements: Number(values.statements),
    path: join(folder, 'object.db'),
    strategies: values.strategies.split(',').filter(Boolean),
  })
  mkdirSync('bench/results', { recursive: true })
  writeFileSync('bench/results/scale.json', JSON.stringify(steps, null, 2))
  writeFileSync('bench/results/scale.svg', plot(steps))
  console.log(`${table(steps)}\n\n${load()}; state ${object.context.graph.state}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
