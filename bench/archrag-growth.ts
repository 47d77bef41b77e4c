/**
 * Grown against rebuilt: half of a corpus, then ten rounds of 5 %. Report calls, eager and lazy (50 questions a round, what they meet is written), beside those of
 * rebuilding every round; quality of the communities and recall of evidence at the end beside a full build; the floor 1−(1−f)^s.
 * Entities' vectors are their passages', which are a fifth to embed. `--data <folder> [--set musique_train100] [--passages 400] [--questions 40]`
 */
import { knowledge } from '../src/core/builders/knowledge'
import { mentions } from '../src/core/builders/mentions'
import { present } from '../src/core/evidence'
import { integrate } from '../src/core/graph/integrate'
import { MemoryGraph } from '../src/core/graph/memory'
import type { Patch, Vector } from '../src/core/graph/types'
import { random } from '../src/core/random'
import { defaultSettings, type Settings } from '../src/core/settings'
import { archBuilder, archrag } from '../src/core/strategies/archrag/archrag'
import { communityOf } from '../src/core/strategies/archrag/community'
import type { ArchSettings } from '../src/core/strategies/archrag/settings'
import type { Query, Reply, Task, Update } from '../src/core/strategy'
import { divide } from '../src/core/text/divide'
import { distinct, terms } from '../src/core/text/terms'
import { mean as meanVector } from '../src/core/vectors'
import { measured } from './archrag-world'
import { mean, option, type Row, report, round } from './erarag-world'
import { DIMENSIONS, embedAll } from './lib/embeddings'
import { corpus, dataFolder, type Passage, type Question } from './quality/corpora'

const set = corpus(dataFolder(option('data')), option('set') ?? 'musique_train100', true)
const wanted = Number(option('passages') ?? 400)
const questions = set.questions.slice(0, Number(option('questions') ?? 40))
const gold = new Set(questions.flatMap((one) => one.gold))
// The gold passages and others, in an order that has nothing to do with either.
const passages = random('arrival').shuffle(
  [...set.passages]
    .sort((a, b) => Number(gold.has(b.id)) - Number(gold.has(a.id)) || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(gold.size, wanted)),
)
const probes = set.questions.slice(0, 50)
const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] } } as const

const documents = await itemsOf(passages)
const asked = new Map<string, Vector>()
const vectors = await embedAll([...questions, ...probes].map((one) => one.text))
;[...questions, ...probes].forEach((one, i) => {
  asked.set(one.id, vectors[i] as Vector)
})

async function itemsOf(list: readonly Passage[]) {
  const divided = list.map((one) => ({ one, ...divide({ title: one.title, text: one.text }, defaultSettings.chunking) }))
  const texts = divided.flatMap(({ chunks }) =>
    chunks.flatMap((chunk) => [...chunk.passages.map((span) => `${chunk.title}\n${chunk.text.slice(span.start, span.end)}`)]),
  )
  const all = await embedAll(texts)
  let at = 0
  return divided.map(({ one, name, chunks, placed }) => ({
    document: { id: one.id, title: one.title, name, url: null, metadata: {}, chunks: placed },
    chunks: chunks.map((chunk) => {
      const own = all.slice(at, at + chunk.passages.length)
      at += own.length
      return { chunk, vectors: { passages: own, units: [] } }
    }),
  }))
}

interface World {
  readonly graph: MemoryGraph
  calls(): number
  add(items: typeof documents): void
  settle(only?: ReadonlySet<string>): void
  query(question: Question): Query
}

function world(arch: Partial<ArchSettings>): World & { readonly settings: Settings } {
  const settings: Settings = { ...defaultSettings, writer: true, models: 'scripted', archrag: { ...defaultSettings.archrag, ...arch } }
  const graph = new MemoryGraph(DIMENSIONS)
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
    },
    settle(only) {
      for (;;) {
        const open = [...tasks.values()].filter((task) => !only || only.has(task.node))
        const replies = open.flatMap((task): Reply[] => {
          tasks.delete(task.node)
          const brief = archBuilder.brief?.(graph, task, settings)
          if (brief?.kind !== 'report') return []
          calls++
          const members = graph.node(task.node)?.sum ?? new Int32Array(DIMENSIONS)
          const vector = meanVector([Int8Array.from(members, (x) => Math.max(-127, Math.min(127, x)))], DIMENSIONS)
          return [{ node: task.node, input: task.input, kind: 'report', report: brief.fallback, vector, generator: 'model' }]
        })
        if (open.length === 0) return
        take(archBuilder.update(graph, { ...NOTHING, replies, changes: [] }, settings))
      }
    },
    query: (question) => ({
      text: question.text,
      terms: distinct(terms(question.text)),
      near: {},
      vector: asked.get(question.id) ?? new Int8Array(DIMENSIONS),
    }),
  }
}

/** Evidence at 5 that is gold, and what the questions met that is stale. */
function answered(one: ReturnType<typeof world>, list: readonly Question[]): { recall: number; stale: Set<string> } {
  const stale = new Set<string>()
  const recall = list.map((question) => {
    const out = archrag.retrieve(one.graph, one.query(question), new Map(), { topK: 20, budget: 8000, trace: false, own: {} }, one.settings)
    if (out.kind !== 'evidence') return 0
    for (const { id } of out.found) if (one.graph.node(id)?.stale) stale.add(id)
    const found = present(one.graph, out.found, { topK: 20, budget: 8000 })
    const top = new Set([...new Set(found.flatMap((item) => item.document ?? []))].slice(0, 5))
    return question.gold.filter((id) => top.has(id)).length / question.gold.length
  })
  return { recall: 100 * mean(recall), stale }
}

/** What is stale below a community is written before it. */
function withBelow(graph: MemoryGraph, ids: ReadonlySet<string>): Set<string> {
  const out = new Set(ids)
  for (const id of out) {
    const node = graph.node(id)
    if (node?.kind === 'community') for (const member of communityOf(node).members) if (graph.node(member)?.stale) out.add(member)
  }
  return out
}

const half = Math.floor(documents.length / 2)
const step = Math.floor(documents.length / 20)
const rows: Row[] = []
let rebuilt = 0
const eager = world({})
const lazy = world({ writing: 'lazy' })
for (const one of [eager, lazy]) {
  one.add(documents.slice(0, half))
  one.settle()
}
const [eagerStart, lazyStart] = [eager.calls(), lazy.calls()]
for (let roundNumber = 1; roundNumber <= 10; roundNumber++) {
  const upto = half + roundNumber * step
  const before = [eager.calls(), lazy.calls()] as const
  eager.add(documents.slice(upto - step, upto))
  eager.settle()
  lazy.add(documents.slice(upto - step, upto))
  const { stale } = answered(lazy, probes)
  lazy.settle(withBelow(lazy.graph, stale))
  const full = world({})
  full.add(documents.slice(0, upto))
  full.settle()
  rebuilt += full.calls()
  rows.push({
    round: roundNumber,
    documents: upto,
    rebuilt: full.calls(),
    eager: eager.calls() - before[0],
    lazy: lazy.calls() - before[1],
  })
  console.log(JSON.stringify(rows.at(-1)))
  if (roundNumber < 10) continue
  const f = step / upto
  const lowest = full.graph.count('community', 1)
  const size = full.graph.count('entity') / lowest
  for (const [way, one] of [
    ['grown', eager],
    ['full', full],
  ] as const) {
    const { communities, modularity, chi, sim } = measured(one.graph, one.settings.archrag)
    rows.push({
      way,
      communities,
      modularity: round(modularity, 4),
      CHI: round(chi, 2),
      Sim: round(sim, 4),
      'R@5': round(answered(one, questions).recall, 1),
      questions: questions.length,
    })
    console.log(JSON.stringify(rows.at(-1)))
  }
  rows.push({
    way: 'share of rebuilding',
    eager: round((eager.calls() - eagerStart) / rebuilt, 3),
    lazy: round((lazy.calls() - lazyStart) / rebuilt, 3),
    'floor 1−(1−f)^s': round(1 - (1 - f) ** size, 3),
  })
  console.log(JSON.stringify(rows.at(-1)))
}
report('archrag-growth', `${set.name}, ${documents.length} documents: half at once, then ten rounds of 5 %`, rows)
