/**
 * Does ArchRAG find the evidence? Recall@2/@5/@10 of gold documents on the development sets beside the keyword baseline, with the switches of the paper's
 * Table 4 that need no second index, and with each of the others. `--data <folder> [--sets dev_2wiki,…] [--settings] [--untitled] [--sentences] [--ways keyword,archrag]`
 * `--sentences`: entities' vectors from sentences, as in the product; else from passages, which are a fifth to embed.
 */
import { archrag } from '../../src/core/strategies/archrag/archrag'
import { type ClusteringSteps, paperSteps } from '../../src/core/strategies/archrag/clustering-steps'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import type { Strategy } from '../../src/core/strategy'
import { option, type Row, report } from '../erarag/world'
import { corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import type { Asking, Index } from '../quality/memory'
import { clusteringVariants, direct, upToLayer } from '../variants/archrag'
import { archIndexed, recallAt } from './world'

const folder = dataFolder(option('data'))
const names = option('sets')?.split(',') ?? MULTIHOP
const asked: readonly (readonly [string, Strategy, Asking])[] = [
  ['keyword', keyword, {}],
  ['archrag', archrag, {}],
  ['k 10', archrag, { own: { k: 10 } }],
  ['single layer', upToLayer(1), {}],
  ['entities only', upToLayer(0), {}],
  ['relations among only', archrag, { own: { around: false } }],
  ['no passage channel', archrag, { own: { passages: false } }],
  ['direct', direct, {}],
]
const ways = option('ways')?.split(',')
const variants: readonly (readonly [string, ClusteringSteps])[] = [
  ['no augmentation', clusteringVariants.unaugmented],
  ['codicil', clusteringVariants.codicil],
  ['weights none', clusteringVariants.unweighted],
  ['plain Leiden', clusteringVariants.plain],
]

const titles = process.argv.includes('--untitled') ? 'no' : 'yes'
const rows: Row[] = []
for (const name of names) {
  const set = corpus(folder, name, titles === 'yes')
  const measure = async (label: string, index: Index, strategy: Strategy, asking: Asking): Promise<void> => {
    rows.push({ set: name, titles, way: label, ...(await recallAt(index, strategy, set.questions, asking)) })
    console.log(JSON.stringify(rows.at(-1)))
  }
  const build = async (way: string, steps: ClusteringSteps): Promise<Index> => {
    const start = performance.now()
    const index = await archIndexed(set, process.argv.includes('--sentences'), steps)
    const counts = [1, 2, 3, 4].map((layer) => index.graph.count('community', layer))
    console.log(
      name,
      way,
      `entities ${index.graph.count('entity')}, communities ${counts.join(' ')}, ${Math.round(performance.now() - start)} ms`,
    )
    return index
  }
  const index = await build('defaults', paperSteps)
  for (const [label, strategy, asking] of asked.filter(([way]) => ways?.includes(way) ?? true))
    await measure(label, index, strategy, asking)
  if (process.argv.includes('--settings'))
    for (const [label, steps] of variants) await measure(label, await build(label, steps), archrag, {})
}
report(`archrag-recall-titles-${titles}`, 'Recall of gold documents', rows)
