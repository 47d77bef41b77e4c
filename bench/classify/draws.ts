/**
 * Is the decision ever worse than a plain baseline? Label sets of many kinds, each with its labels' names and with ids that say nothing, 1 to
 * 10 examples a label, drawn several times. Loam's own encoder, no text model.
 * The last table has the paired differences over the draws.
 * `npm run bench classify/draws -- --data <folder> [--sets 'name;…'] [--shots 1,2,5,10] [--seeds 3] [--part chosen|judged|all] [--max 300]`
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { weighCandidates } from '../../src/core/strategies/gorag/candidates'
import { goragDefaults } from '../../src/core/strategies/gorag/settings'
import { viewOf } from '../../src/core/strategies/gorag/view'
import { embedStatic } from '../lib/encoders'
import { dataFolder } from '../quality/corpora'
import { baselines, type Shot } from './baselines'
import { type Draw, drawFrom, type LabelSet, labelSets } from './label-sets'
import { addRound, emptyCorpus, nameText, type Vectors } from './run'

const NAME = 0.5 // of an example's weight

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    shots: { type: 'string', default: '1,2,5,10' },
    seeds: { type: 'string', default: '3' },
    part: { type: 'string', default: 'all' },
    max: { type: 'string', default: '300' },
    out: { type: 'string' },
  },
})

type Scores = Record<string, number>
interface Row {
  readonly set: string
  readonly chosenOn: boolean
  readonly named: boolean
  readonly shots: number
  readonly seed: number
  readonly accuracy: Scores
}

function measure(set: LabelSet, shots: number, seed: number, named: boolean, vectors: Vectors): Row {
  const draw = drawFrom(set, shots, seed, Number(values.max))
  const idOf = new Map(draw.labels.map((label, i) => [label, named ? label : `label ${i}`]))
  const relabelled = (all: Draw['shots']): Draw['shots'] => all.map(({ label, text }) => ({ label: idOf.get(label) ?? '', text }))
  const round = { name: '', labels: [...idOf.values()], shots: relabelled(draw.shots), tests: relabelled(draw.tests) }
  const corpus = emptyCorpus(goragDefaults)
  addRound(corpus, round, vectors)
  const view = viewOf(corpus.index, goragDefaults, 0)
  const withVector = (one: Draw['shots'][number]): Shot => ({ ...one, vector: vectors.get(one.text) ?? new Int8Array() })
  const examples = round.shots.map(withVector)
  const names = round.labels
    .map((label) => ({ ...withVector({ label, text: nameText(label) }), weight: NAME }))
    .filter(({ text }) => text !== '')
  const plain = baselines(examples, round.labels)
  const withNames = baselines([...examples, ...names], round.labels)
  const right: Scores = {}
  const count = (method: string, is: boolean): void => {
    right[method] = (right[method] ?? 0) + (is ? 100 / round.tests.length : 0)
  }
  for (const { label, text } of round.tests) {
    const vector = vectors.get(text) ?? new Int8Array()
    const { candidates } = weighCandidates(view, corpus.index, { text, vector }, goragDefaults)
    const chosen = corpus.index.labelled.labels.get(view.labelled.labels[candidates[0]?.label ?? -1] ?? '')?.id
    count('GORAG', chosen === label)
    for (const method of ['TF-IDF centroid', 'embedding centroid', 'z-sum'] as const) {
      count(`${method}, no names`, best(plain[method](text, vector)) === round.labels.indexOf(label))
      count(method, best(withNames[method](text, vector)) === round.labels.indexOf(label))
    }
    const at = candidates.findIndex((one) => corpus.index.labelled.labels.get(view.labelled.labels[one.label] ?? '')?.id === label)
    count('recall of candidates', at >= 0)
    right['share of labels'] = (right['share of labels'] ?? 0) + (100 * candidates.length) / round.labels.length / round.tests.length
  }
  return { set: set.name, chosenOn: set.chosenOn, named, shots, seed, accuracy: right }
}

function best(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores))
}

function mean(all: readonly number[]): number {
  return all.reduce((a, b) => a + b, 0) / Math.max(1, all.length)
}

function spread(all: readonly number[]): number {
  return Math.sqrt(mean(all.map((x) => (x - mean(all)) ** 2)) * (all.length / Math.max(1, all.length - 1)))
}

const wanted = values.sets?.split(';')
const sets = labelSets(dataFolder(values.data)).filter(
  ({ name, chosenOn }) => (!wanted || wanted.includes(name)) && (values.part === 'all' || (values.part === 'chosen') === chosenOn),
)
const rows: Row[] = []
const columns = [
  'GORAG',
  'TF-IDF centroid',
  'TF-IDF centroid, no names',
  'embedding centroid',
  'z-sum',
  'recall of candidates',
  'share of labels',
]
console.log(`| set | labels | names | examples | ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length + 4)}`)
for (const set of sets) {
  const most = Math.min(...set.labels.map((label) => set.train.filter((one) => one.label === label).length))
  const texts = [...new Set([...set.labels.map(nameText), ...[...set.train, ...set.test].map(({ text }) => text)])]
  const encoded = await embedStatic(texts)
  const vectors: Vectors = new Map(texts.map((text, i) => [text, encoded[i] as Int8Array]))
  for (const named of [true, false]) {
    for (const shots of values.shots.split(',').map(Number)) {
      if (shots > 1 && shots > most - (set.test.length > 0 ? 0 : 1) && set.name.startsWith('banking, 70') === false) continue
      const own = Array.from({ length: Number(values.seeds) }, (_, seed) => measure(set, shots, seed, named, vectors))
      rows.push(...own)
      const cell = (method: string): string => {
        const all = own.map(({ accuracy }) => accuracy[method] ?? 0)
        return `${mean(all).toFixed(1)} ± ${spread(all).toFixed(1)}`
      }
      console.log(`| ${[set.name, set.labels.length, named ? 'yes' : 'ids', shots, ...columns.map(cell)].join(' | ')} |`)
    }
  }
}
const T95 = [Number.NaN, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26] // half of a 95 % interval in standard errors, by degrees of freedom: one draw has none
const PLAIN = ['TF-IDF centroid', 'TF-IDF centroid, no names', 'embedding centroid', 'z-sum']
const byRow = [...Map.groupBy(rows, ({ set, named, shots }) => `${set} | ${named ? 'yes' : 'ids'} | ${shots}`)]
console.log(`\n| set | names | examples | ${PLAIN.join(' | ')} |\n|${' --- |'.repeat(PLAIN.length + 3)}`)
for (const [row, own] of byRow) {
  const cells = PLAIN.map((method) => {
    const ahead = own.map(({ accuracy }) => (accuracy.GORAG ?? 0) - (accuracy[method] ?? 0))
    const half = ((T95[ahead.length - 1] ?? 1.96) * spread(ahead)) / Math.sqrt(ahead.length)
    return `${mean(ahead).toFixed(1)} ± ${half.toFixed(1)}${mean(ahead) + half < 0 ? ' behind' : mean(ahead) - half > 0 ? ' ahead' : ''}`
  })
  console.log(`| ${row} | ${cells.join(' | ')} |`)
}
for (const chosenOn of [true, false]) {
  const own = rows.filter((row) => row.chosenOn === chosenOn)
  if (own.length === 0) continue
  console.log(
    `\n${chosenOn ? 'chosen on' : 'judged on'}: ${Object.keys(own[0]?.accuracy ?? {})
      .map((method) => `${method} ${mean(own.map(({ accuracy }) => accuracy[method] ?? 0)).toFixed(2)}`)
      .join(', ')}`,
  )
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`)
if (values.out) writeFileSync(values.out, JSON.stringify(rows, null, 1))
