/** A small corpus whose every document holds words no other holds, indexed in memory by the builders of all strategies; and askers of it. Seeded. */
import { hashEmbedding } from '../../../local/workerd/hash-embedder'
import { reader } from '../../../src/core/access/labels'
import { type Sight, seesBeneath } from '../../../src/core/access/sight'
import { VisibleGraph } from '../../../src/core/access/visible-graph'
import { present } from '../../../src/core/evidence'
import { integrate } from '../../../src/core/graph/integrate'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Chunk, Hit, Patch } from '../../../src/core/graph/types'
import { chunkOf } from '../../../src/core/ids'
import type { Random } from '../../../src/core/random'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { enabledBuilders, isVisibleValue } from '../../../src/core/strategies/registry'
import type { Brief, Builder, Query, Reply, Strategy, Task, Update } from '../../../src/core/strategy'
import { divide } from '../../../src/core/text/divide'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine, quantize } from '../../../src/core/vectors'

const D = 64
const SUBJECTS = ['harbour', 'bridge', 'orchard', 'library', 'railway', 'observatory']
const NAMES = ['Alva Brandt', 'Castor Lind', 'Mira Holm', 'Port Ellis', 'Tarn Valley', 'Ostrava Mill', 'Juno Park']

export interface Text {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly labels: readonly string[]
  /** Stand in this document and in no other. */
  readonly secrets: readonly string[]
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T

/** Letters alone, so that tokenizers leave it whole. */
function secret(random: Random): string {
  return `Zq${Array.from({ length: 9 }, () => String.fromCharCode(97 + random.below(26))).join('')}`
}

/** `nth` document: sentences of a subject with names many documents share, and three words of its own, two of them as names. */
export function textFrom(random: Random, nth: number, labels: readonly string[]): Text {
  const [own, name, title] = [secret(random), secret(random), secret(random)]
  const subject = pick(random, SUBJECTS)
  const sentences = [
    `The ${subject} near ${pick(random, NAMES)} was opened by ${pick(random, NAMES)} and ${name}.`,
    `${name} met ${pick(random, NAMES)} at the ${subject} about ${own.toLowerCase()}.`,
    `Later ${pick(random, NAMES)} closed the ${pick(random, SUBJECTS)} for repairs near ${name} Hill.`,
    `Visitors of the ${subject} ask ${pick(random, NAMES)} for a ticket.`,
  ]
  const id = `doc-${nth}`
  return { id, title: `${subject} ${title}`, text: sentences.join(' '), labels, secrets: [own, name, title, id] }
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  readonly texts: readonly Text[]
}

export const labels = ['group:a', 'group:b', 'group:c', 'user:d']

/** Labels for a text: none, one or several. */
export function labelsFrom(random: Random): string[] {
  return random.below(3) === 0 ? [] : distinct(Array.from({ length: 1 + random.below(2) }, () => pick(random, labels)))
}

/** `model`: every text is written by a scripted model, which repeats what it is given, so that what leaks is seen. */
export function worldOf(texts: readonly Text[], model = false): World {
  const world = emptyWorld(texts, model)
  const builders = enabledBuilders(['erarag', 'cluerag', 'ketrag', 'archrag'])
  for (let at = 0; at < texts.length; at += 10) change(world, builders, { add: texts.slice(at, at + 10) })
  consolidate(world, builders)
  return world
}

/** `texts`: those it will hold, to ask what may be seen. */
export function emptyWorld(texts: readonly Text[], model = false): World {
  const settings: Settings = { ...defaultSettings, dimensions: D, writer: model, models: model ? 'scripted' : 'none' }
  return { graph: new MemoryGraph(D), settings, texts }
}

export function consolidate(world: World, builders: readonly Builder[]): void {
  const { graph, settings } = world
  for (const builder of builders) {
    const wanted = builder.consolidate?.(graph, settings)
    graph.apply(wanted?.patch ?? [])
    work(world, builders, wanted?.tasks ?? [])
  }
}

const vectorOf = (text: string) => quantize(hashEmbedding(text, D))

export interface Change {
  readonly add?: readonly Text[]
  /** Ids of documents. */
  readonly remove?: readonly string[]
}

export function change(world: World, builders: readonly Builder[], { add = [], remove = [] }: Change): void {
  const { graph, settings } = world
  const upserts = add.map(({ id, title, text }) => {
    const { name, chunks, placed } = divide({ title, text }, settings.chunking)
    const divided = chunks.map((chunk) => ({
      chunk,
      vectors: {
        passages: chunk.passages.map((one) => vectorOf(chunk.text.slice(one.start, one.end))),
        units: chunk.units.map((one) => vectorOf(chunk.text.slice(one.start, one.end))),
      },
    }))
    return { document: { id, title, name, url: null, metadata: {}, chunks: placed }, chunks: divided }
  })
  const { patch, delta } = integrate(graph, { upserts, deletes: remove })
  graph.apply(patch)
  work(world, builders, folded(world, builders, { ...delta, replies: [] }))
}

function folded({ graph, settings }: World, builders: readonly Builder[], delta: Parameters<Builder['update']>[1]): Task[] {
  const made = new Map<string, Patch>()
  const tasks: Task[] = []
  const take = (builder: Builder, update: Update): void => {
    graph.apply(update.patch)
    made.set(builder.name, [...(made.get(builder.name) ?? []), ...update.patch])
    tasks.push(...update.tasks)
  }
  for (const builder of builders) {
    const changes = builder.follows?.flatMap((name) => made.get(name) ?? [])
    take(builder, builder.update(graph, { ...delta, ...(changes ? { changes } : {}) }, settings))
    while (builder.processBacklog && builder.hasBacklog?.(graph)) take(builder, builder.processBacklog(graph, settings))
  }
  return tasks
}

function work(world: World, builders: readonly Builder[], open: readonly Task[]): void {
  const { graph, settings } = world
  let left = open
  for (let round = 0; left.length > 0; round++) {
    if (round > 200) throw new Error('the tasks of a test world do not end')
    const next: Task[] = []
    for (const builder of builders) {
      const replies = left
        .filter((task) => task.builder === builder.name)
        .flatMap((task) => {
          const brief = builder.brief?.(graph, task, settings)
          return brief ? [replyTo(task, brief)] : []
        })
      if (replies.length === 0) continue
      const update = builder.update(
        graph,
        { added: [], removed: [], documents: { added: [], removed: [] }, replies, changes: [] },
        settings,
      )
      graph.apply(update.patch)
      next.push(...update.tasks)
    }
    left = next
  }
}

/** As talkative as a model can be: all it was given comes back. */
function replyTo({ node, input }: Task, brief: Brief): Reply {
  switch (brief.kind) {
    case 'embed':
      return { node, input, kind: 'embed', vectors: brief.texts.map(vectorOf) }
    case 'rerank':
      return { node, input, kind: 'rerank', scores: brief.pools.map(({ texts }) => texts.map(() => 0.5)) }
    case 'summarize': {
      const text = brief.texts.join(' ').slice(0, 2000)
      return { node, input, kind: 'summarize', text, vector: vectorOf(text), generator: 'model' }
    }
    case 'report': {
      const summary = brief.texts.join(' ').slice(0, 2000)
      const report = { title: brief.texts[0]?.slice(0, 80) ?? '', summary, rating: 5, findings: [] }
      return { node, input, kind: 'report', report, vector: vectorOf(summary), generator: 'model' }
    }
    case 'extract': {
      const sentences = brief.text.split(/(?<=\.) /)
      const units = brief.want.units ? sentences.map((text) => ({ text, vector: vectorOf(text) })) : []
      const found = [...new Set([...brief.text.matchAll(/Zq[a-z]+|[A-Z][a-z]+ [A-Z][a-z]+/g)].map(([name]) => name))]
      const entities = found.map((name) => ({ name, type: 'thing', description: `${name}, of whom is said: ${sentences[0]}` }))
      const relations = found
        .slice(1)
        .map((name) => ({ source: found[0] ?? '', target: name, description: `so it is told: ${sentences[1]}`, strength: 5 }))
      return { node, input, kind: 'extract', extraction: { units, entities, relations } }
    }
  }
}

/** By definition: from the texts' own labels, and down from every derived text to the chunks. */
export function sightOf({ graph, texts }: World, principals: readonly string[]): Sight {
  const reads = reader(principals, undefined)
  const seen = new Set(texts.filter((one) => reads(one.labels)).map((one) => one.id))
  const chunk = (id: string): boolean => graph.placements(id).some((place) => seen.has(place.document))
  return { document: (id) => seen.has(id), chunk, derived: (node) => seesBeneath(graph, node, chunk) }
}

export function seenBy(world: World, principals: readonly string[]): GraphReader {
  return new VisibleGraph(world.graph, sightOf(world, principals), isVisibleValue)
}

export interface Answer {
  readonly evidence: ReturnType<typeof present>
  readonly trace: unknown
}

/** What the object does: entry points by exact comparison of what may be seen, the walk, the evidence. */
export function ask(
  graph: GraphReader,
  { settings }: World,
  strategy: Strategy,
  question: string,
  own: Query['near'] | object = {},
  { topK = 30, budget = 6000, vectors = true, admits }: Asking = {},
): Answer {
  const vector = vectorOf(question)
  const near = Object.fromEntries(strategy.entries.map(({ kind, k }) => [kind, nearest(graph, kind as never, vector, k)]))
  const asked = { text: question, terms: distinct(terms(question)), ...(admits ? { admits } : {}) }
  const query: Query = vectors ? { ...asked, vector, near: admits ? inside(near, admits) : near } : { ...asked, near: {} }
  const found = strategy.retrieve(graph, query, new Map(), { topK, budget, trace: true, own: own as never }, settings)
  if (found.kind === 'wanted') return { evidence: [], trace: found.pairs.map((pair) => pair.text) }
  return { evidence: present(graph, found.found, { topK, budget }), trace: found.trace }
}

export interface Asking {
  readonly topK?: number
  readonly budget?: number
  /** False: there is no embedding model. */
  readonly vectors?: boolean
  readonly admits?: (chunk: string) => boolean
}

/** Entry points as the object gives them under a filter: of chunks that are admitted. */
function inside(near: { readonly [kind: string]: readonly Hit[] }, admits: (chunk: string) => boolean) {
  return Object.fromEntries(
    Object.entries(near).map(([kind, hits]) => [kind, kind === 'passage' ? hits.filter(({ id }) => admits(chunkOf(id))) : hits]),
  )
}

function nearest(graph: GraphReader, kind: 'passage' | 'summary' | 'keyword', vector: Int8Array, k: number): Hit[] {
  const ids =
    kind === 'passage'
      ? graph.page('chunk', '', 10_000).flatMap((id) => (graph.chunk(id) as Chunk).passages.map((one) => one.id))
      : graph.page(kind, '', 10_000)
  const hits = ids.flatMap((id) => {
    const own = graph.vector(id)
    return own ? [{ id, score: cosine(vector, own) }] : []
  })
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
}

export { NAMES, SUBJECTS }
