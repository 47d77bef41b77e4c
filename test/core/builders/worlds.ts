/** Small corpora for the tests of shared builders and of the strategies on them: named documents that mention each other, vectors by content, a scripted model. Seeded. */
import { stateHash } from '../../../src/core/graph/fingerprint'
import { integrate } from '../../../src/core/graph/integrate'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { DocumentRecord, Hit, Patch, Vector } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import { retrieveSelected } from '../../../src/core/selection'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { Brief, Builder, Query, Reply, Retrieved, Scores, Strategy, Task } from '../../../src/core/strategy'
import { divide } from '../../../src/core/text/divide'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine, quantize } from '../../../src/core/vectors'

export const D = 16

export interface Doc {
  readonly id: string
  readonly title: string
  readonly text: string
}

export const doc = (id: string, title: string, text: string): Doc => ({ id, title, text })

export function vectorFor(text: string): Vector {
  const numbers = random(fingerprint(text))
  return quantize(Array.from({ length: D }, () => numbers.normal()))
}

const PEOPLE = 'Ada Brant|Bela Corvin|Cyra Dunn|Élodie Faure|Фёдор Гусев|Hana Ito|Ivo Jansen|Kim Lund'.split('|')
const PLACES = 'Oslo|Porto|Quito|Riga|Sofia|Turin|Ulm|Vigo'.split('|')
const WORKS = 'The Glass Harbour|Seven Lanterns|Orchard of Salt|The Quiet Foundry|Night Railway'.split('|')

/** Documents about people and works that name one another; some without title, some with a namesake. */
export function docs(seed: string, count: number): Doc[] {
  const numbers = random(seed)
  const one = (list: readonly string[]): string => list[numbers.below(list.length)] ?? ''
  return Array.from({ length: count }, (_, i) => {
    const subject = one([...PEOPLE, ...WORKS])
    const facts = Array.from(
      { length: 2 + numbers.below(6) },
      () => `${one(PEOPLE)} took “${one(WORKS)}” from ${one(PLACES)} to ${one(PLACES)} in mark x${numbers.below(40)}.`,
    )
    return doc(`${seed}-${i}`, i % 3 === 0 ? '' : subject, `${subject} is known in ${one(PLACES)}. ${facts.join(' ')}`)
  })
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  readonly tasks: Map<string, Task>
  change(arrivals: { readonly add?: readonly Doc[]; readonly remove?: readonly string[] }): void
  /** Answers every open task by the script. */
  settle(reply: (task: Task, brief: Brief) => Reply): void
  consolidate(): void
  hash(): string
  ask(strategy: Strategy, text: string, asking?: Asking): Retrieved
}

export interface Asking {
  readonly own?: { readonly [key: string]: number | string | boolean }
  readonly topK?: number
  readonly vector?: boolean
  readonly near?: boolean
  readonly admits?: (chunk: string) => boolean
  readonly scores?: Scores
}

export function settingsWith(changes: Partial<Settings> = {}): Settings {
  return { ...defaultSettings, dimensions: D, chunking: { chunk: 120, overlap: 20, passage: 40 }, ...changes }
}

/** `embed` makes the vectors of texts. */
export function world(builders: readonly Builder[], settings: Settings = settingsWith(), embed = vectorFor): World {
  const graph = new MemoryGraph(settings.dimensions)
  const tasks = new Map<string, Task>()
  const open = (list: readonly Task[]): void => {
    for (const task of list) tasks.set(`${task.builder} ${task.node}`, task)
  }
  const run = (delta: Omit<Parameters<Builder['update']>[1], 'replies'>, replies: ReadonlyMap<string, readonly Reply[]>): void => {
    const made = new Map<string, Patch>()
    for (const builder of builders) {
      const changes = builder.follows?.flatMap((name) => made.get(name) ?? [])
      const update = builder.update(
        graph,
        { ...delta, replies: replies.get(builder.name) ?? [], ...(changes ? { changes } : {}) },
        settings,
      )
      graph.apply(update.patch)
      made.set(builder.name, update.patch)
      for (const id of update.cancelled ?? []) tasks.delete(`${builder.name} ${id}`)
      open(update.tasks)
    }
  }
  return {
    graph,
    settings,
    tasks,
    change({ add = [], remove = [] }) {
      const { patch, delta } = integrate(graph, { upserts: add.map((one) => divided(one, settings, embed)), deletes: remove })
      graph.apply(patch)
      run(delta, new Map())
    },
    settle(reply) {
      const replies = new Map<string, Reply[]>()
      for (const task of tasks.values()) {
        const brief = builders.find((one) => one.name === task.builder)?.brief?.(graph, task, settings)
        if (brief) replies.set(task.builder, [...(replies.get(task.builder) ?? []), reply(task, brief)])
      }
      tasks.clear()
      run({ added: [], removed: [], documents: { added: [], removed: [] } }, replies)
    },
    consolidate() {
      for (const builder of builders) {
        const update = builder.consolidate?.(graph, settings)
        graph.apply(update?.patch ?? [])
        open(update?.tasks ?? [])
      }
    },
    hash: () => stateHash(graph.lines()),
    ask(strategy, text, { own = {}, topK = 10, vector = true, near = vector, admits, scores = new Map() } = {}) {
      const question = embed(text)
      const query: Query = {
        text,
        terms: distinct(terms(text)),
        near: near ? { passage: nearest(graph, question, admits).slice(0, 100) } : {},
        ...(vector ? { vector: question } : {}),
        ...(admits ? { admits } : {}),
      }
      return retrieveSelected(strategy, graph, { query, scores, options: { topK, budget: 4000, trace: true, own }, settings })
    },
  }
}

function nearest(graph: MemoryGraph, question: Vector, admits?: (chunk: string) => boolean): Hit[] {
  const chunks = graph.page('chunk', '', 1e6).filter((id) => !admits || admits(id))
  const ids = chunks.flatMap((id) => graph.chunk(id)?.passages.map((one) => one.id) ?? [])
  return ids
    .map((id) => ({ id, score: cosine(question, graph.vector(id) ?? []) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

export function divided(one: Doc, settings: Settings, embed: (text: string) => Vector) {
  const { name, chunks, placed } = divide(one, settings.chunking)
  const document: DocumentRecord = { id: one.id, title: one.title, name, url: null, metadata: {}, chunks: placed }
  return {
    document,
    chunks: chunks.map((chunk) => ({
      chunk,
      vectors: {
        passages: chunk.passages.map((span) => embed(chunk.text.slice(span.start, span.end))),
        units: chunk.units.map((span) => embed(chunk.text.slice(span.start, span.end))),
      },
    })),
  }
}

/** Ids of found passages' documents, in order. */
export function documentsOf(at: World, retrieved: Retrieved): string[] {
  if (retrieved.kind !== 'evidence') return []
  const chunks = retrieved.found.map((one) => at.graph.text(one.id)?.chunk ?? '')
  return distinct(chunks.flatMap((chunk) => at.graph.placements(chunk).map((place) => place.document)))
}
