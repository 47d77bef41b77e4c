/**
 * The switches of ArchRAG's Table 4, one at a time from the defaults: how communities are found, augmented and weighed, which layers are searched, whether what they say
 * is filtered, and k. Recall of gold documents with the passage channel and without it (which shows what entities and communities bring), beside the quality of
 * the lowest communities. `--data <folder> [--set musique_train100] [--questions 60] [--passages 500] [--sentences] [--part question|graph] [--only "cluster: scan"]`
 * With fewer passages the gold ones of the questions stay. A part is the switches of a question, which need one graph, or those that make another.
 */
import { archrag } from '../../src/core/strategies/archrag/archrag'
import { type ClusteringSteps, paperSteps } from '../../src/core/strategies/archrag/clustering-steps'
import type { Strategy } from '../../src/core/strategy'
import { option, type Row, report, round } from '../erarag/world'
import { corpus, dataFolder } from '../quality/corpora'
import type { Asking, Index } from '../quality/memory'
import { clusteringVariants, direct, upToLayer } from '../variants/archrag'
import { archIndexed, measured, recallAt } from './world'

const whole = corpus(dataFolder(option('data')), option('set') ?? 'musique_train100', !process.argv.includes('--untitled'))
const questions = whole.questions.slice(0, Number(option('questions') ?? whole.questions.length))
const gold = new Set(questions.flatMap((one) => one.gold))
const passages = [...whole.passages]
  .sort((a, b) => Number(gold.has(b.id)) - Number(gold.has(a.id)) || (a.id < b.id ? -1 : 1))
  .slice(0, Math.max(gold.size, Number(option('passages') ?? whole.passages.length)))
const set = { ...whole, passages, questions }
const graphs: readonly (readonly [string, ClusteringSteps])[] = [
  ['cluster: scan', clusteringVariants.scan],
  ['cluster: spectral', clusteringVariants.spectral],
  ['spectral, no augmentation', clusteringVariants.spectralUnaugmented],
  ['augment: codicil', clusteringVariants.codicil],
  ['codicil, content alone', clusteringVariants.codicilByContent],
  ['codicil, topology alone', clusteringVariants.codicilByTopology],
  ['augment: none', clusteringVariants.unaugmented],
  ['weights: strength', clusteringVariants.strength],
  ['weights: none', clusteringVariants.unweighted],
  ['plain Leiden (neither)', clusteringVariants.plain],
]
const ways: readonly (readonly [string, Strategy, Asking['own']])[] = [
  ['layers: single', upToLayer(1), {}],
  ['layers: entities', upToLayer(0), {}],
  ['filter: direct', direct, {}],
  ['relations: among only', archrag, { around: false }],
  ['k 3', archrag, { k: 3 }],
  ['k 7', archrag, { k: 7 }],
  ['k 10', archrag, { k: 10 }],
  ['k 15', archrag, { k: 15 }],
]

const rows: Row[] = []
async function row(way: string, index: Index, strategy = archrag, own: Asking['own'] = {}, graph?: Row): Promise<void> {
  const { ms: _, ...both } = await recallAt(index, strategy, set.questions, { own })
  const bare = await recallAt(index, strategy, set.questions, { own: { ...own, passages: false } })
  rows.push({ way, ...both, 'R@5 no passages': bare['R@5'], ...graph })
  console.log(JSON.stringify(rows.at(-1)))
}
async function built(way: string, steps: ClusteringSteps): Promise<Index> {
  const index = await archIndexed(set, process.argv.includes('--sentences'), steps)
  const { communities, modularity, chi, sim } = measured(index.graph, index.settings.archrag, steps)
  await row(way, index, archrag, {}, { communities, modularity: round(modularity, 3), CHI: round(chi, 1), Sim: round(sim, 3) })
  return index
}

const index = await built('defaults', paperSteps)
const only = option('only')
const part = option('part')
const wants = (one: string, way: string): boolean => (!part || part === one) && (!only || way === only)
for (const [way, strategy, own] of ways) if (wants('question', way)) await row(way, index, strategy, own)
for (const [way, steps] of graphs) if (wants('graph', way)) await built(way, steps)
report(
  part ? `archrag-switches-${part}` : 'archrag-switches',
  `${set.name}: ${set.passages.length} documents, ${set.questions.length} questions`,
  rows,
)
