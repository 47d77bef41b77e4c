/** Small corpora for KET-RAG's tests: documents of a few made-up facts, content-addressed vectors, and a model that replies by script. Seeded. */
import { present } from '../../../src/core/evidence'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { integrate } from '../../../src/core/graph/integrate'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { Chunk, DocumentRecord, Hit, Patch, Vector } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { ketrag } from '../../../src/core/strategies/ketrag/ketrag'
import type { KetSettings } from '../../../src/core/strategies/ketrag/settings'
import type { Brief, Delta, Extraction, Query, Reply, Retrieved, Task, Update } from '../../../src/core/strategy'
import { divide } from '../../../src/core/text/divide'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine, quantize } from '../../../src/core/vectors'

export const D = 16
const NOTHING_MOVED = { added: [], removed: [], documents: { added: [], removed: [] } }
const PEOPLE = 'Ada Brant|Bela Corvin|Cyra Dunn|Dario Esk|Élodie Faure|Фёдор Гусев|Hana Ito|Ivo Jansen'.split('|')
const PLACES = 'Oslo|Porto|Quito|Riga|Sofia|Turin|Ulm|Vigo'.split('|')
const THINGS = 'harbour|bridge|archive|orchard|railway|lantern|museum|chapel|quarry|foundry'.split('|')

export interface Doc {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Documents of four to eight facts each; keywords come in all frequencies. */
export function docs(seed: string, count: number): Doc[] {
  const numbers = random(seed)
  const one = (list: readonly string[]): string => list[Math.floor(numbers.next() ** 2 * list.length)] ?? ''
  return Array.from({ length: count }, (_, i) => {
    const facts = Array.from({ length: 4 + numbers.below(5) }, () => {
      const rare = numbers.below(4) === 0 ? ` with mark x${numbers.below(60)}` : ''
      return `${one(PEOPLE)} built the ${one(THINGS)} of ${one(PLACES)} near the ${one(THINGS)}${rare}.`
    })
    return { id: `${seed}-${i}`, title: i % 3 === 0 ? '' : `${one(THINGS)} ${i}`, text: facts.join(' ') }
  })
}

export function settingsWith(ket: Partial<KetSettings> = {}, writer = false): Settings {
  const chunking = { chunk: 120, overlap: 20, passage: 40 }
  return {
    ...defaultSettings,
    dimensions: D,
    writer,
    models: writer ? 'scripted' : 'none',
    chunking,
    ketrag: { ...defaultSettings.ketrag, ...ket },
  }
}

export function vectorFor(text: string): Vector {
  const numbers = random(fingerprint(text))
  return quantize(Array.from({ length: D }, () => numbers.normal()))
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  readonly tasks: Map<string, Task>
  /** Chunks the model has read, in order. */
  readonly read: string[]
  /** Texts embedded for builders, in order. */
  readonly embedded: string[]
  change(arrivals: { readonly add?: readonly Doc[]; readonly remove?: readonly Doc[] }): void
  /** Takes in replies to tasks, by builder. */
  reply(replies: ReadonlyMap<string, readonly Reply[]>): void
  settle(): void
  consolidate(): void
  hash(): string
  ask(text: string, asking?: Asking): Retrieved
}

export interface Asking {
  readonly own?: { readonly [key: string]: number | string | boolean | null }
  readonly topK?: number
  readonly budget?: number
  readonly vector?: boolean
  readonly admits?: (chunk: string) => boolean
}

export function world(settings: Settings = settingsWith(), vectors = true): World {
  const graph = new MemoryGraph(settings.dimensions)
  const tasks = new Map<string, Task>()
  const read: string[] = []
  const embedded: string[] = []
  /** One commit, as the object makes it: builders in their order, each given what those it follows have changed. */
  const run = (delta: Omit<Delta, 'replies'>, replies: ReadonlyMap<string, readonly Reply[]> = new Map()): void => {
    const made = new Map<string, Patch>()
    const moved = delta.added.length + delta.removed.length > 0
    for (const builder of ketrag.builders) {
      const own = replies.get(builder.name) ?? []
      const changes = builder.follows?.flatMap((name) => made.get(name) ?? [])
      if (!moved && own.length === 0 && !changes?.length) continue
      const update = builder.update(graph, { ...delta, replies: own, ...(changes ? { changes } : {}) }, settings)
      graph.apply(update.patch)
      made.set(builder.name, update.patch)
      keepTasks(tasks, builder.name, update)
    }
  }
  const passages = (): string[] => graph.page('chunk', '', 1e6).flatMap((id) => graph.chunk(id)?.passages.map((one) => one.id) ?? [])
  return {
    graph,
    settings,
    tasks,
    read,
    embedded,
    change({ add = [], remove = [] }) {
      const upserts = add.map((one) => divided(one, settings, vectors))
      const { patch, delta } = integrate(graph, { upserts, deletes: remove.map((one) => one.id) })
      graph.apply(patch)
      run(delta)
    },
    reply: (replies) => run(NOTHING_MOVED, replies),
    settle() {
      while (tasks.size > 0) {
        const answers = new Map<string, Reply[]>()
        for (const task of tasks.values()) {
          const brief = ketrag.builders.find((one) => one.name === task.builder)?.brief?.(graph, task, settings)
          if (task.kind === 'extract') read.push(task.node)
          if (brief?.kind === 'embed') embedded.push(...brief.texts)
          if (brief) answers.set(task.builder, [...(answers.get(task.builder) ?? []), replyTo(task, brief)])
        }
        tasks.clear()
        run(NOTHING_MOVED, answers)
      }
    },
    consolidate() {
      for (const builder of ketrag.builders) {
        const update = builder.consolidate?.(graph, settings)
        graph.apply(update?.patch ?? [])
        for (const task of update?.tasks ?? []) tasks.set(keyOf(task), task)
      }
    },
    hash: () => stateHash(graph.lines()),
    ask(text, { own = {}, topK = 10, budget = 1000, vector = vectors, admits } = {}) {
      const question = vectorFor(text)
      const near = passages()
        .filter((id) => graph.vector(id))
        .map((id): Hit => ({ id, score: cosine(question, graph.vector(id) ?? []) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      const query: Query = {
        text,
        terms: distinct(terms(text)),
        near: vector ? { passage: near.slice(0, 100) } : {},
        ...(vector ? { vector: question } : {}),
        ...(admits ? { admits } : {}),
      }
      return ketrag.retrieve(graph, query, new Map(), { topK, budget, trace: true, own }, settings)
    },
  }
}

function keepTasks(tasks: Map<string, Task>, builder: string, { tasks: asked, cancelled = [] }: Update): void {
  for (const node of cancelled) for (const [key, task] of tasks) if (task.builder === builder && task.node === node) tasks.delete(key)
  for (const task of asked) tasks.set(keyOf(task), task)
}

/** By chunk for what is asked of a writer, whose tasks tests look at. */
function keyOf({ builder, kind, node }: Task): string {
  return kind === 'extract' ? node : `${node} ${builder}`
}

export function evidence(at: World, retrieved: Retrieved, topK = 10, budget = 1000) {
  return retrieved.kind === 'evidence' ? present(at.graph, retrieved.found, { topK, budget }) : []
}

function divided(
  doc: Doc,
  settings: Settings,
  embedded: boolean,
): { document: DocumentRecord; chunks: { chunk: Chunk; vectors: { passages: Vector[]; units: Vector[] } }[] } {
  const { name, chunks, placed } = divide(doc, settings.chunking)
  const record: DocumentRecord = { id: doc.id, title: doc.title, name, url: null, metadata: {}, chunks: placed }
  const slice = (chunk: Chunk, span: { start: number; end: number }): string => `${chunk.name}: ${chunk.text.slice(span.start, span.end)}`
  return {
    document: record,
    chunks: chunks.map((chunk) => ({
      chunk,
      vectors: {
        passages: chunk.passages.map((span) => (embedded ? vectorFor(slice(chunk, span)) : new Int8Array(D))),
        units: embedded ? chunk.units.map((span) => vectorFor(slice(chunk, span))) : [],
      },
    })),
  }
}

/** A model that finds people and places, relates those of one sentence, and one thing in lower case no rule would take for a name. */
function replyTo(task: Task, brief: Brief): Reply {
  const { node, input } = task
  if (brief.kind === 'embed') return { node, input, kind: 'embed', vectors: brief.texts.map(vectorFor) }
  if (brief.kind !== 'extract') throw new Error(`unexpected brief ${brief.kind}`)
  const relations = brief.text.split('. ').flatMap((sentence) => {
    const source = PEOPLE.find((one) => sentence.includes(one))
    const target = THINGS.find((one) => sentence.includes(one))
    return source && target ? [{ source, target, description: `${source} made the ${target}`, strength: 7 }] : []
  })
  const names = distinct(relations.flatMap((one) => [one.source, one.target]))
  const extraction: Extraction = {
    units: [],
    entities: names.map((name) => ({ name, type: THINGS.includes(name) ? 'thing' : 'person', description: `about ${name}` })),
    relations,
  }
  return { node, input, kind: 'extract', extraction }
}
