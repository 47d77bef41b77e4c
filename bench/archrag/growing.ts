/**
 * A corpus of one of the evaluation sets that grows as ArchRAG's builder lets it, with a scripted writer of reports that is counted: what the bench of growth
 * is made of. Entities' vectors are their passages', which are a fifth to embed.
 */

import { mentions } from '../../src/core/builders/mentions'
import { present } from '../../src/core/evidence'
import { integrate } from '../../src/core/graph/integrate'
import { MemoryGraph } from '../../src/core/graph/memory'
import type { Patch, Vector } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import type { Settings } from '../../src/core/settings'
import { archBuilder, archrag } from '../../src/core/strategies/archrag/archrag'
import { communityOf } from '../../src/core/strategies/archrag/community'
import type { ArchSettings } from '../../src/core/strategies/archrag/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { knowledge } from '../../src/core/strategies/shared-builders'
import type { Query, Reply, Task, Update } from '../../src/core/strategy'
import { distinct, terms } from '../../src/core/text/terms'
import { mean as meanVector } from '../../src/core/vectors'
import { type Item, itemsOf, mean } from '../erarag/world'
import { DIMENSIONS, embedAll } from '../lib/embeddings'
import { embedStatic, STATIC_DIMENSIONS } from '../lib/encoders'
import type { Corpus, Question } from '../quality/corpora'

/** One encoder for texts and questions alike: their vectors can be compared with each other and with nothing else. */
const encoders = {
  static: { dimensions: STATIC_DIMENSIONS, embed: embedStatic },
  'use-lite': { dimensions: DIMENSIONS, embed: embedAll },
} as const
export type GrowingEncoder = keyof typeof encoders

const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] } } as const

/** The gold documents of the questions and others, in an order that has nothing to do with either; and the questions' vectors. */
export async function arriving(
  set: Corpus,
  questions: readonly Question[],
  probes: readonly Question[],
  { wanted, encoder }: { readonly wanted: number; readonly encoder: GrowingEncoder },
): Promise<{ readonly documents: readonly Item[]; readonly asked: ReadonlyMap<string, Vector> }> {
  const { embed } = encoders[encoder]
  const gold = new Set(questions.flatMap((one) => one.gold))
  const passages = [...set.passages]
    .sort((a, b) => Number(gold.has(b.id)) - Number(gold.has(a.id)) || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(gold.size, wanted))
  const documents = await itemsOf(random('arrival').shuffle(passages), undefined, embed)
  const all = [...questions, ...probes]
  const vectors = await embed(all.map((one) => one.text))
  return { documents, asked: new Map(all.map((one, i) => [one.id, vectors[i] as Vector])) }
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  /** Reports written so far. */
  calls(): number
  /** A batch, and what it leaves for pieces of their own. */
  add(items: readonly Item[]): void
  /** Reports that are due are written: all, or these. */
  settle(only?: ReadonlySet<string>): void
}

export function world(arch: Partial<ArchSettings>, encoder: GrowingEncoder): World {
  const { dimensions } = encoders[encoder]
  const own = { ...defaultSettings.archrag, ...arch }
  const settings: Settings = { ...defaultSettings, dimensions, writer: true, models: 'scripted', archrag: own }
  const graph = new MemoryGraph(dimensions)
  const tasks = new Map<string, Task>()
  let calls = 0
  const take = (update: Update): Update => {
    graph.apply(update.patch)
    for (const id of update.cancelled ?? []) tasks.delete(id)
    for (const task of update.tasks) if (task.builder === 'archrag') tasks.set(task.node, task)
    return update
  }
  return {
    graph,
    settings,
    calls: () => calls,
    add(items) {
      const { patch, delta } = integrate(graph, { upserts: items, deletes: [] })
      graph.apply(patch)
      const changes: Patch[number][] = []
      for (const builder of [mentions, knowledge, archBuilder]) {
        const own = builder === archBuilder ? settings : { ...settings, writer: false }
        changes.push(...take(builder.update(graph, { ...delta, replies: [], ...(builder.follows ? { changes } : {}) }, own)).patch)
      }
      while (archBuilder.processBacklog && archBuilder.hasBacklog?.(graph)) take(archBuilder.processBacklog(graph, settings))
    },
    settle(only) {
      for (;;) {
        const open = [...tasks.values()].filter((task) => !only || only.has(task.node))
        const replies = open.flatMap((task): Reply[] => {
          tasks.delete(task.node)
          const brief = archBuilder.brief?.(graph, task, settings)
          if (brief?.kind !== 'report') return []
          calls++
          const members = graph.node(task.node)?.sum ?? new Int32Array(dimensions)
          const vector = meanVector([Int8Array.from(members, (x) => Math.max(-127, Math.min(127, x)))], dimensions)
          return [{ node: task.node, input: task.input, kind: 'report', report: brief.fallback, vector, generator: 'model' }]
        })
        if (open.length === 0) return
        take(archBuilder.update(graph, { ...NOTHING, replies, changes: [] }, settings))
      }
    },
  }
}

/** Evidence at 5 that is gold, in per cent, and what the questions met that is stale. */
export function answered(
  { graph, settings }: World,
  list: readonly Question[],
  asked: ReadonlyMap<string, Vector>,
): { recall: number; recalls: readonly number[]; stale: Set<string> } {
  const stale = new Set<string>()
  const recalls = list.map((question) => {
    const query: Query = {
      text: question.text,
      terms: distinct(terms(question.text)),
      near: {},
      vector: asked.get(question.id) ?? new Int8Array(graph.dimensions),
    }
    const out = archrag.retrieve(graph, query, new Map(), { topK: 20, budget: 8000, trace: false, own: {} }, settings)
    if (out.kind !== 'evidence') return 0
    for (const { id } of out.found) if (graph.node(id)?.stale) stale.add(id)
    const found = present(graph, out.found, { topK: 20, budget: 8000 })
    const top = new Set([...new Set(found.flatMap((item) => item.document ?? []))].slice(0, 5))
    return question.gold.filter((id) => top.has(id)).length / question.gold.length
  })
  return { recall: 100 * mean(recalls), recalls, stale }
}

/** What is stale below a community is written before it. */
export function withBelow(graph: MemoryGraph, ids: ReadonlySet<string>): Set<string> {
  const out = new Set(ids)
  for (const id of out) {
    const node = graph.node(id)
    if (node?.kind === 'community') for (const member of communityOf(node).members) if (graph.node(member)?.stale) out.add(member)
  }
  return out
}
