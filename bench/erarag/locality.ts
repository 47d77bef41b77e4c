/**
 * What one new document costs as the corpus grows: summaries written in each layer, changes of the graph, milliseconds of the builder.
 * Vectors are real ones, and beyond their number neighbours of real ones. `--data <folder> [--sizes 100,1000] [--regroup members]`
 */
import { random } from '../../src/core/random'
import { corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { type Item, itemsOf, itemWith, mean, near, option, quantile, type Row, report, round, settingsWith, world } from './world'

const SAMPLES = 200 // documents inserted, one at a time, at each size
const APART = 0.6 // of a vector's length: cosine .86 to the real one, as within one article

const folder = dataFolder(option('data'))
const sizes = (option('sizes') ?? '100,1000,10000,100000').split(',').map(Number)
const real = (
  await itemsOf(MULTIHOP.flatMap((name) => corpus(folder, name, true).passages.map((one) => ({ ...one, id: `${name} ${one.id}` }))))
).filter((item) => item.chunks.length === 1)
const numbers = random('locality')

function made(id: string): Item {
  const [base] = real[numbers.below(real.length)]?.chunks ?? []
  const vector = base?.vectors.passages[0]
  if (!vector) throw new Error('no real vectors')
  return itemWith(id, near(vector, APART, numbers))
}

const rows: Row[] = []
for (const size of sizes) {
  const one = world(settingsWith({}))
  const items = numbers.shuffle(real).slice(0, size)
  for (let i = items.length; i < size; i++) items.push(made(`base ${i}`))
  const start = performance.now()
  for (let at = 0; at < size; at += 2000) one.add(items.slice(at, at + 2000))
  const built = (performance.now() - start) / 1000
  const samples = Array.from({ length: SAMPLES }, (_, i) => made(`sample ${size} ${i}`))
  const inserted = samples.map((item) => {
    const insertion = one.add([item])
    const deletion = one.remove([item])
    return { insertion, deletion }
  })
  const layers = Math.max(...inserted.map(({ insertion }) => insertion.made.length))
  for (let layer = 0; layer < layers; layer++) {
    const counts = inserted.map(({ insertion }) => insertion.made[layer] ?? 0)
    const gone = inserted.map(({ deletion }) => deletion.made[layer] ?? 0)
    rows.push({
      chunks: size,
      layer: layer + 1,
      summaries: one.graph.count('summary', layer + 1),
      'insert mean': round(mean(counts)),
      p95: quantile(counts, 0.95),
      max: Math.max(...counts),
      'delete mean': round(mean(gone)),
      'delete p95': quantile(gone, 0.95),
      'delete max': Math.max(...gone),
      ...(layer === 0
        ? {
            'changes mean': round(mean(inserted.map(({ insertion }) => insertion.changes)), 1),
            'ms p50': round(
              quantile(
                inserted.map(({ insertion }) => insertion.ms),
                0.5,
              ),
            ),
            'ms p95': round(
              quantile(
                inserted.map(({ insertion }) => insertion.ms),
                0.95,
              ),
            ),
            'built, chunks/s': Math.round(size / built),
          }
        : {}),
    })
  }
}
report('erarag-locality', 'One document of one chunk into a corpus', rows)
