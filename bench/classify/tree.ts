/**
 * Does the Steiner tree know anything that the decision does not? Its say is given every chance: weights of the decision's evidence, with and without
 * the tree's, are fitted on half of a set's questions (not on its examples) and judged on the other half, then the halves change places.
 * The tree says of a label the closeness 1 − w (Eq. 4) summed over its edges in the tree, or whether it is in the tree at all.
 * `npm run bench classify/tree -- --data <folder> [--shots 1,5] [--seeds 2] [--max 200]`
 */
import { parseArgs } from 'node:util'
import { softmax, softmaxFit, type Trial } from '../../src/core/algorithms/softmax-fit'
import { standardScores } from '../../src/core/algorithms/standard-scores'
import { evidenceFor, KINDS, standardised } from '../../src/core/strategies/gorag/evidence'
import { fitOf } from '../../src/core/strategies/gorag/fit'
import { keywordCounts } from '../../src/core/strategies/gorag/keywords'
import { type GoragSettings, goragDefaults } from '../../src/core/strategies/gorag/settings'
import { steinerOf } from '../../src/core/strategies/gorag/tree'
import { viewOf } from '../../src/core/strategies/gorag/view'
import { weightsOf } from '../../src/core/strategies/gorag/weights'
import { embedStatic } from '../lib/encoders'
import { dataFolder } from '../quality/corpora'
import { unitWeights } from '../variants/gorag'
import { drawFrom, type LabelSet, labelSets } from './label-sets'
import { addRound, emptyCorpus, nameText, type Vectors } from './run'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    shots: { type: 'string', default: '1,5' },
    seeds: { type: 'string', default: '2' },
    max: { type: 'string', default: '200' },
  },
})

type Trees = Readonly<Record<string, { readonly settings: GoragSettings; readonly weigh: typeof weightsOf; readonly isMember?: true }>>
const trees: Trees = {
  'edges in the tree': { settings: goragDefaults, weigh: weightsOf },
  'in the tree': { settings: goragDefaults, weigh: weightsOf, isMember: true },
  'edges, unit weights': { settings: goragDefaults, weigh: unitWeights },
  'edges, Algorithm 2': { settings: { ...goragDefaults, steiner: 'mst' }, weigh: weightsOf },
}
const withoutEdges = 'without the graph’s edges'

/** In per cent of right labels by what is in the decision; `tree alone` decides by nothing else. */
function measure(set: LabelSet, shots: number, seed: number, vectors: Vectors): Record<string, number> {
  const draw = drawFrom(set, shots, seed, Number(values.max))
  const corpus = emptyCorpus(goragDefaults)
  addRound(corpus, { name: '', ...draw }, vectors)
  const { index } = corpus
  const view = viewOf(index, goragDefaults, 0)
  const { usual } = fitOf(index, goragDefaults)
  const base = draw.tests.map(({ label, text }): Trial => {
    const question = { text, counts: keywordCounts(text, index.phrase), vector: vectors.get(text) }
    const right = view.labelled.labels.findIndex((node) => index.labelled.labels.get(node)?.id === label)
    return { right, features: standardised(evidenceFor(view, index, question), usual) }
  })
  const graph = KINDS.indexOf('keywords')
  const out: Record<string, number> = {
    decision: halves(base),
    [withoutEdges]: halves(base.map(({ right, features }) => ({ right, features: features.filter((_, k) => k !== graph) }))),
  }
  for (const [name, { settings, weigh, isMember }] of Object.entries(trees)) {
    const said = draw.tests.map(({ text }) => {
      const { tree } = steinerOf(view, keywordCounts(text, index.phrase), settings, weigh)
      const scores = new Float64Array(view.labelled.labels.length)
      for (const { u, v, weight } of tree.edges) {
        for (const [end, other] of [
          [u, v],
          [v, u],
        ] as const) {
          if (end < scores.length && other > scores.length) scores[end] = isMember ? 1 : (scores[end] ?? 0) + 1.05 - weight
        }
      }
      return standardScores(scores)
    })
    out[`with ${name}`] = halves(base.map(({ right, features }, i) => ({ right, features: [...features, said[i] as Float64Array] })))
    if (name === 'edges in the tree') out['tree alone'] = share(base.map(({ right }, i) => best(said[i] as Float64Array) === right))
  }
  return out
}

/** Right guesses in per cent, each half by weights that fit the other. */
function halves(trials: readonly Trial[]): number {
  const size = trials[0]?.features.length ?? 0
  const pull = { weights: Array.from({ length: size }, () => 0.3), spread: Array.from({ length: size }, () => 1), strength: 1 }
  const parts = [0, 1].map((half) => trials.filter((_, i) => i % 2 === half))
  return share(
    parts.flatMap((part, half) => {
      const weights = softmaxFit(parts[1 - half] ?? [], pull)
      return part.map(({ features, right }) => best(softmax(features, weights, features[0]?.length ?? 0)) === right)
    }),
  )
}

function best(scores: Float64Array): number {
  return scores.indexOf(Math.max(...scores))
}

function share(all: readonly boolean[]): number {
  return (100 * all.filter(Boolean).length) / Math.max(1, all.length)
}

const all: Record<string, number[]> = {}
for (const set of labelSets(dataFolder(values.data))) {
  const texts = [...new Set([...set.labels.map(nameText), ...[...set.train, ...set.test].map(({ text }) => text)])]
  const encoded = await embedStatic(texts)
  const vectors: Vectors = new Map(texts.map((text, i) => [text, encoded[i] as Int8Array]))
  for (const shots of values.shots.split(',').map(Number)) {
    for (let seed = 0; seed < Number(values.seeds); seed++) {
      const found = measure(set, shots, seed, vectors)
      for (const [name, value] of Object.entries(found)) all[name] = [...(all[name] ?? []), value]
      console.log(
        set.name,
        shots,
        seed,
        Object.entries(found)
          .map(([name, value]) => `${name} ${value.toFixed(1)}`)
          .join(', '),
      )
    }
  }
}
const decision = all.decision ?? []
console.log('\n| | right, % | change | standard error |\n| --- | --- | --- | --- |')
for (const [name, found] of Object.entries(all)) {
  const change = found.map((value, i) => value - (decision[i] ?? 0))
  const mean = change.reduce((a, b) => a + b, 0) / change.length
  const error = Math.sqrt(change.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, change.length - 1) / change.length)
  console.log(`| ${name} | ${(found.reduce((a, b) => a + b, 0) / found.length).toFixed(1)} | ${mean.toFixed(2)} | ${error.toFixed(2)} |`)
}
