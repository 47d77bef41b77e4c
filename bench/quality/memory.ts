/** A corpus indexed in memory by the builders of some strategies, and a way to ask it: the fast half of the harness, without a Worker. */
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { reachedBy } from '../../src/core/channels/reached-by'
import { type Evidence, present } from '../../src/core/evidence'
import { MemoryGraph } from '../../src/core/graph/memory'
import type { Chunk, ChunkVectors, DocumentRecord, NodeKind, Vector } from '../../src/core/graph/types'
import { documentLanguage } from '../../src/core/language/detect'
import { questionTerms } from '../../src/core/language/question-terms'
import type { OverviewPlan } from '../../src/core/reader/overview/plan'
import { presentation, retrieveSelected } from '../../src/core/selection'
import type { Settings } from '../../src/core/settings'
import { rerankWeightFor } from '../../src/core/strategies/auto/rerank-weight'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Builder, Query, Retrieved, Scores, Strategy } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import type { Language } from '../../src/core/text/languages'
import type { Comparison } from '../../src/core/text/topic-shifts'
import { quantize } from '../../src/core/vectors'
import { questionDefaults } from '../../src/flows/find'
import { blendEvidence, readingTexts, rerankPool } from '../../src/flows/rank'
import { DIMENSIONS, embedAll, noise } from '../lib/embeddings'
import { embedStatic, MINILM_DIMENSIONS, minilm, STATIC_DIMENSIONS } from '../lib/encoders'
import { completed, type Embed, fold, type Script, settle } from './building'
import type { Corpus, Passage } from './corpora'
import { type Embedded, entryPointsOf } from './entry-points'
import { knowing } from './knowing'
import { type Rerank, rerankerOf } from './reranker'

/** `strong` knows nine of ten documents a text is about. */
export type Embedding = 'static' | 'use-lite' | 'minilm' | 'hash' | 'noise' | 'none' | 'strong'

export interface Asked {
  readonly evidence: readonly Evidence[]
  /** Documents in order of their first evidence. */
  readonly documents: readonly string[]
  readonly ms: number
  /** The question is about a whole. */
  readonly overview?: OverviewPlan
  readonly trace?: unknown
}

export interface Index {
  readonly graph: MemoryGraph
  readonly settings: Settings
  add(passages: readonly Passage[]): Promise<void>
  ask(strategy: Strategy, question: string, options?: Asking): Promise<Asked>
  /** What the schedule does, under changed settings and with a scripted model; returns how many tasks were answered. */
  consolidate(settings: Settings, script?: Script): Promise<number>
}

export interface Asking {
  readonly topK?: number
  /** In its place for a question about a whole. */
  readonly whole?: number
  readonly budget?: number
  readonly own?: { readonly [key: string]: number | string | boolean }
  readonly trace?: boolean
  /** Absent: those it was indexed with. */
  readonly settings?: Settings
  /** Absent: the server's, if there is one. */
  readonly rerank?: Rerank
}

export async function indexed(
  corpus: Corpus,
  embedding: Embedding,
  builders: readonly Builder[],
  settings: Settings = defaultSettings,
  script?: Script,
  reranker?: Rerank,
  compare?: Comparison,
): Promise<Index> {
  const graph = new MemoryGraph(embedding === 'static' ? STATIC_DIMENSIONS : embedding === 'minilm' ? MINILM_DIMENSIONS : DIMENSIONS)
  const embed = embedder(embedding, corpus)
  const units = embedding !== 'none' && builders.some((builder) => builder.unitVectors)
  let passages: Embedded[] = []

  const add = async (documents: readonly Passage[]): Promise<void> => {
    const fresh = new Map<string, { chunk: Chunk; vectors: ChunkVectors }>()
    const records: DocumentRecord[] = []
    for (const document of documents) {
      const { name, chunks, placed } = divide({ ...document, language: languageOf(document) }, settings.chunking, compare)
      records.push({ id: document.id, title: document.title, name, url: null, metadata: {}, chunks: placed })
      for (const chunk of chunks) if (!graph.chunk(chunk.id)) fresh.set(chunk.id, { chunk, vectors: { passages: [], units: [] } })
    }
    const parts = [...fresh.values()].flatMap(({ chunk }) => textsOf(chunk, units))
    const vectors = await embed(parts)
    let at = 0
    const added = [...fresh.values()].map(({ chunk }) => {
      const own = vectors.slice(at, at + chunk.passages.length)
      at += own.length
      const ofUnits = units ? vectors.slice(at, at + chunk.units.length) : []
      at += ofUnits.length
      return { chunk, vectors: { passages: embedding === 'none' ? [] : own, units: ofUnits } }
    })
    graph.apply([
      ...added.map(({ chunk, vectors }) => ({ op: 'put-chunk' as const, chunk, vectors })),
      ...records.map((document) => ({ op: 'put-document' as const, document })),
    ])
    entries.forget()
    const delta = { added: added.map((one) => one.chunk), removed: [], documents: { added: records, removed: [] } }
    await completed(
      { graph, builders, embed, settings, ...(script ? { script } : {}), ...(reranker ? { rerank: reranker } : {}) },
      fold(graph, builders, settings, delta),
    )
    if (embedding !== 'none') {
      const own = added.flatMap(({ chunk, vectors }) =>
        chunk.passages.map((passage, i) => ({ id: passage.id, vector: vectors.passages[i] as Vector })),
      )
      passages = [...passages, ...own]
    }
  }

  let derived: { readonly version: number; readonly of: Map<NodeKind, { id: string; vector: Vector }[]> } = { version: -1, of: new Map() }
  /** All of a kind that have a vector, as the index holds them. */
  const indexedOf = (kind: NodeKind): readonly { id: string; vector: Vector }[] => {
    if (kind === 'passage' || kind === 'document' || kind === 'chunk' || kind === 'unit') return kind === 'passage' ? passages : []
    if (derived.version !== graph.version) derived = { version: graph.version, of: new Map() }
    const known = derived.of.get(kind)
    const all = known ?? graph.page(kind, '', Number.MAX_SAFE_INTEGER).flatMap((id) => vectorOf(graph, id))
    derived.of.set(kind, all)
    return all
  }
  const entries = entryPointsOf(graph, embed, indexedOf)

  const ask = async (strategy: Strategy, question: string, asking: Asking = {}): Promise<Asked> => {
    const { topK = 20, whole, budget = 100_000, own = {}, trace = false, settings: used = settings, rerank: scorer = rerank } = asking
    const vector = embedding === 'none' ? undefined : (await embed([question]))[0]
    const wanted = strategy.entries.filter((entry) => entry.where?.(used) ?? true)
    const entered = vector ? await entries.of(question, vector, wanted) : { near: {} }
    const { near, names } = entered
    const query: Query = {
      text: question,
      terms: questionTerms(graph, question).terms,
      near,
      ...(names ? { names } : {}),
      ...(vector ? { vector } : {}),
    }
    const start = performance.now()
    const retrieved = await walked(
      (scores) =>
        retrieveSelected(strategy, graph, {
          query,
          scores,
          options: { topK, budget, trace, own, ...(whole === undefined ? {} : { whole }) },
          settings: used,
        }),
      question,
      scorer,
    )
    const ms = performance.now() - start
    const { overview } = retrieved
    const room = overview && overview.kind !== 'topic' ? (whole ?? topK) : topK
    const found = present(graph, retrieved.found, { topK: room, budget, ...presentation(own) })
    const evidence = reranker
      ? await chosen(graph, { question, found, weight: rerankWeightFor(graph, { strategy: strategy.name, options: own }, used) }, reranker)
      : found
    const documents = [...new Set(evidence.flatMap((one) => one.document ?? []))]
    return {
      evidence,
      documents,
      ms,
      ...(overview ? { overview } : {}),
      ...(retrieved.trace === undefined ? {} : { trace: retrieved.trace }),
    }
  }

  await embed(corpus.questions.map((one) => one.text)) // all at once: the encoder is slow with one
  await addInBatches(add, corpus.passages)
  const consolidate = (changed: Settings, by = script): Promise<number> =>
    settle({ graph, builders, embed, settings: changed, ...(by ? { script: by } : {}), ...(reranker ? { rerank: reranker } : {}) })
  await consolidate(settings)
  return { graph, settings, add, ask, consolidate }
}

interface Looked {
  readonly question: string
  readonly found: readonly Evidence[]
  readonly weight: number
}

/** The last step of a question as production does it, for a `top_k` of ten: the first thirty, blended; the others stay behind them. */
async function chosen(graph: MemoryGraph, { question, found, weight }: Looked, reranker: Rerank): Promise<readonly Evidence[]> {
  if (weight === 0) return found
  const evidence = found.slice(0, rerankPool({ topK: TOP_K, budget: 0 }).topK)
  const paths = reachedBy(
    graph,
    evidence.map((one) => one.id),
  ).map((path) => path ?? null)
  const read = await reranker(question, readingTexts(question, { evidence, paths }))
  return [...blendEvidence({ evidence, weight }, read), ...found.slice(evidence.length)]
}

/** A strategy that lacks model scores says which, and is begun again with them. */
async function walked(retrieve: (scores: Scores) => Retrieved, question: string, rerank: Rerank | undefined) {
  const scores = new Map<string, number>()
  for (;;) {
    const retrieved = retrieve(scores)
    if (retrieved.kind === 'evidence') return retrieved
    const { pairs } = retrieved
    if (!rerank || pairs.every((pair) => scores.has(pair.key))) throw new Error('a reranker is wanted, and there is none here')
    const given = await rerank(
      question,
      pairs.map((pair) => pair.text),
    )
    for (const [i, pair] of pairs.entries()) scores.set(pair.key, given[i] ?? 0)
  }
}

function embedder(embedding: Embedding, corpus: Corpus): Embed {
  if (embedding === 'static') return embedStatic
  if (embedding === 'use-lite') return embedAll
  if (embedding === 'minilm') return minilm(process.env.TEACHER_PYTHON ?? 'python3')
  if (embedding === 'hash') return async (texts) => texts.map((text) => quantize(hashEmbedding(text, DIMENSIONS)))
  if (embedding === 'strong') return knowing(corpus, KNOWN)
  return async (texts) => (embedding === 'noise' ? noise(texts) : texts.map(() => new Int8Array(DIMENSIONS)))
}

const rerank = rerankerOf(process.env)
const TOP_K = questionDefaults.topK
const BATCH = 500 // documents per commit
const KNOWN = 0.9 // chance that the strong embedding knows a document a text is about

async function addInBatches(add: (documents: readonly Passage[]) => Promise<void>, documents: readonly Passage[]): Promise<void> {
  for (let at = 0; at < documents.length; at += BATCH) await add(documents.slice(at, at + BATCH))
}

export function textsOf(chunk: Chunk, units: boolean): string[] {
  const slice = (span: { readonly start: number; readonly end: number }): string => chunk.text.slice(span.start, span.end)
  const titled = chunk.title ? `${chunk.title}\n` : ''
  const named = chunk.name ? `${chunk.name}: ` : ''
  return [...chunk.passages.map((span) => titled + slice(span)), ...(units ? chunk.units.map((span) => named + slice(span)) : [])]
}

const vectorOf = (graph: MemoryGraph, id: string): { id: string; vector: Vector }[] => {
  const vector = graph.vector(id)
  return vector ? [{ id, vector }] : []
}

function languageOf({ title, text, language }: Passage): Language | undefined {
  return language === undefined ? documentLanguage(`${title}\n${text}`, undefined) : (language ?? undefined)
}
