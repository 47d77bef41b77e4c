/**
 * Does ArchRAG find the evidence? Recall@2/@5/@10 of gold documents on the development sets beside the keyword baseline, with the switches of the paper's
 * Table 4 that need no second index, and with each of the others. `--data <folder> [--sets dev_2wiki,…] [--settings]`
 */

import { knowledge } from '../src/core/builders/knowledge'
import { links } from '../src/core/builders/links'
import { mentions } from '../src/core/builders/mentions'
import { defaultSettings, type Settings } from '../src/core/settings'
import { archBuilder, archrag } from '../src/core/strategies/archrag/archrag'
import type { ArchSettings } from '../src/core/strategies/archrag/settings'
import { keyword } from '../src/core/strategies/baselines/keyword'
import type { Strategy } from '../src/core/strategy'
import { mean, option, type Row, report, round } from './erarag-world'
import { corpus, dataFolder, MULTIHOP } from './quality/corpora'
import { type Asking, type Index, indexed } from './quality/memory'

const folder = dataFolder(option('data'))
const names = option('sets')?.split(',') ?? MULTIHOP
const asked: readonly (readonly [string, Strategy, Asking])[] = [
  ['keyword', keyword, {}],
  ['archrag', archrag, {}],
  ['k 10', archrag, { own: { k: 10 } }],
  ['single layer', archrag, { own: { layers: 'single' } }],
  ['entities only', archrag, { own: { layers: 'entities' } }],
  ['relations among only', archrag, { own: { around: false } }],
  ['no passage channel', archrag, { own: { passages: false } }],
  ['direct', archrag, { own: { filter: 'direct' } }],
]
const variants: readonly (readonly [string, Partial<ArchSettings>])[] = [
  ['no augmentation', { augment: 'none' }],
  ['codicil', { augment: 'codicil' }],
  ['weights none', { weights: 'none' }],
  ['plain Leiden', { augment: 'none', weights: 'none' }],
]

const rows: Row[] = []
for (const name of names) {
  const set = corpus(folder, name, !process.argv.includes('--untitled'))
  const measure = async (label: string, index: Index, strategy: Strategy, asking: Asking): Promise<void> => {
    const recall: Record<number, number[]> = { 2: [], 5: [], 10: [] }
    const ms: number[] = []
    for (const question of set.questions) {
      const found = await index.ask(strategy, question.text, { topK: 20, ...asking })
      ms.push(found.ms)
      for (const k of [2, 5, 10]) {
        const top = new Set(found.documents.slice(0, k))
        recall[k]?.push(question.gold.filter((id) => top.has(id)).length / question.gold.length)
      }
    }
    const at = (k: number): number => round(100 * mean(recall[k] ?? []), 1)
    rows.push({ set: name, way: label, 'R@2': at(2), 'R@5': at(5), 'R@10': at(10), ms: round(mean(ms), 1) })
    console.log(JSON.stringify(rows.at(-1)))
  }
  const build = async (arch: Partial<ArchSettings>): Promise<Index> => {
    const settings: Settings = { ...defaultSettings, archrag: { ...defaultSettings.archrag, ...arch } }
    const start = performance.now()
    const index = await indexed(set, 'use-lite', [mentions, links, knowledge, archBuilder], settings)
    const counts = [1, 2, 3, 4].map((layer) => index.graph.count('community', layer))
    console.log(
      name,
      JSON.stringify(arch),
      `entities ${index.graph.count('entity')}, communities ${counts.join(' ')}, ${Math.round(performance.now() - start)} ms`,
    )
    return index
  }
  const index = await build({})
  for (const [label, strategy, asking] of asked) await measure(label, index, strategy, asking)
  if (process.argv.includes('--settings')) for (const [label, arch] of variants) await measure(label, await build(arch), archrag, {})
}
report('archrag-recall', 'Recall of gold documents', rows)
