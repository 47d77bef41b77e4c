/** Ports for tests: models that answer from a script, a corpus that remembers what it was sent. Small, and true to their contracts. */

import type { ModelFault } from '../../../src/contract/questions'
import type { Spent } from '../../../src/contract/usage'
import { costOf } from '../../../src/core/cost'
import type { Evidence } from '../../../src/core/evidence'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { Brief } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Message, Models } from '../../../src/ports/models'
import type { CorpusObject } from '../../../src/ports/object'
import type { RetrieveRequest, RetrieveResult } from '../../../src/ports/retrieval'
import type { Hold, Prices, RemainingBudget } from '../../../src/ports/spending'
import type { LeasedTask, TaskResult } from '../../../src/ports/tasks'
import type { VectorIndex } from '../../../src/ports/vector-index'

export function fault(name: ModelFault, seconds?: number): Error {
  const error = new Error(seconds === undefined ? name : `${name} ${seconds}`)
  error.name = 'ModelError'
  return error
}

/** Letters counted into buckets: the same text, the same vector; similar texts, similar vectors. */
export function hashed(text: string, dimensions: number): number[] {
  const out = new Array<number>(dimensions).fill(0)
  for (let i = 0; i + 1 < text.length; i++) {
    const bucket = (text.charCodeAt(i) * 31 + text.charCodeAt(i + 1)) % dimensions
    out[bucket] = (out[bucket] ?? 0) + 1
  }
  if (text.length === 1) out[text.charCodeAt(0) % dimensions] = 1
  return out
}

export interface Script {
  readonly dimensions?: number
  readonly window?: number
  /** One entry for each call, then the last for ever: a reply, a reply that was cut, or an error to reject with. */
  readonly write?: readonly (string | Error | { readonly cut: string })[]
  readonly stream?: readonly (string | Error)[]
  /** The stream ends where its room does. */
  readonly isCut?: boolean
  readonly rerank?: ((query: string, texts: readonly string[]) => readonly number[]) | Error
  readonly embed?: (texts: readonly string[]) => Error | undefined
}

export interface FakeModels extends Models {
  readonly embedded: string[][]
  readonly written: (readonly Message[])[]
  /** Tokens each reply was given room for. */
  readonly rooms: number[]
  readonly reranked: (readonly string[])[]
}

export function fakeModels(script: Script = {}): FakeModels {
  const { dimensions = 16, window = 512 } = script
  const written: (readonly Message[])[] = []
  const rooms: number[] = []
  const embedded: string[][] = []
  const reranked: (readonly string[])[] = []
  let said = 0
  return {
    embedded,
    written,
    rooms,
    reranked,
    embedding: { id: 'fake-embedder', dimensions, window },
    text: script.write || script.stream ? { id: 'fake-writer', window: 8000 } : null,
    reranker: script.rerank ? { id: 'fake-reranker' } : null,
    async embed(texts) {
      embedded.push([...texts])
      const error = script.embed?.(texts)
      if (error) throw error
      return { vectors: texts.map((text) => hashed(text, dimensions)), spent: { in: 0, out: 0, embedded: 10 * texts.length } }
    },
    async rerank(query, texts) {
      reranked.push(texts)
      if (!script.rerank || script.rerank instanceof Error) throw script.rerank ?? fault('missing')
      return { scores: script.rerank(query, texts), spent: { in: texts.length, out: 0, embedded: 0 } }
    },
    async write(messages, { tokens }) {
      written.push(messages)
      rooms.push(tokens)
      const replies = script.write ?? [fault('missing')]
      const reply = replies[Math.min(said++, replies.length - 1)] ?? fault('missing')
      if (typeof reply === 'object' && 'cut' in reply)
        return { text: reply.cut, spent: { in: 100, out: tokens, embedded: 0 }, truncated: true }
      if (typeof reply !== 'string') throw reply
      return { text: reply, spent: { in: 100, out: 7, embedded: 0 } }
    },
    async stream(messages) {
      written.push(messages)
      const pieces = script.stream ?? [fault('missing')]
      if (pieces[0] instanceof Error) throw pieces[0]
      async function* deltas() {
        for (const piece of pieces) {
          if (typeof piece !== 'string') throw piece
          yield piece
        }
      }
      return { deltas: deltas(), spent: () => ({ in: 100, out: pieces.length, embedded: 0 }), isTruncated: () => script.isCut === true }
    },
  }
}

export function task(id: number, brief: Brief): LeasedTask {
  return { id, node: `s_node-${id}`, input: `input-${id}`, brief }
}

export function evidence(id: string, document: string, text: string, start = 0, more: Partial<Evidence> = {}): Evidence {
  return {
    id,
    kind: 'passage',
    layer: 0,
    score: 1,
    text,
    tokens: Math.ceil(text.length / 4),
    document,
    chunk: `c_${document}`,
    start,
    end: start + text.length,
    title: document,
    url: null,
    via: 'keyword',
    ...more,
  }
}

/** Grants what fits into what is left, as a corpus does; `rates`: dollars per million tokens. */
function teller({ tokens, usd }: RemainingBudget, rates?: Prices) {
  const held = new Map<string, { readonly tokens: number; readonly usd: number }>()
  return (holds: readonly Hold[]): boolean[] =>
    holds.map(({ id, max }) => {
      const stages = Object.entries(max)
      const own = {
        tokens: stages.reduce((sum, [, one]) => sum + one.in + one.out + one.embedded, 0),
        usd: stages.reduce((sum, [stage, one]) => sum + costOf(rates, stage, one), 0),
      }
      const others = [...held].filter(([other]) => other !== id).map(([, one]) => one)
      const sum = (pick: (one: typeof own) => number) => others.reduce((all, one) => all + pick(one), pick(own))
      const within = (of: number, left: number | null) => left === null || (left > 0 && of <= left)
      const fits =
        within(
          sum((one) => one.tokens),
          tokens,
        ) &&
        within(
          sum((one) => one.usd),
          usd,
        )
      if (fits) held.set(id, own)
      return fits
    })
}

export interface FakeCorpus extends CorpusObject {
  readonly asked: RetrieveRequest[]
  readonly commits: (readonly TaskResult[])[]
  readonly charged: { in: number; out: number; embedded: number }[]
}

export interface Holding {
  /** Documents by id, for `verify`. */
  readonly documents?: { readonly [id: string]: string }
  readonly evidence?: readonly Evidence[]
  /** Answers of `retrieve`, one for each call, then the last for ever. Default: the evidence. */
  readonly retrieve?: readonly RetrieveResult[]
  /** How far it trusts a re-ranker. Default: 1. */
  readonly weight?: number
  /** Of its budget. Default: it has none. */
  readonly left?: RemainingBudget
  readonly prices?: Prices
  readonly tasks?: readonly LeasedTask[]
  /** Commits after this many are refused. */
  readonly lostAfter?: number
}

export function fakeCorpus(holding: Holding = {}): FakeCorpus {
  const asked: RetrieveRequest[] = []
  const commits: (readonly TaskResult[])[] = []
  const charged: { in: number; out: number; embedded: number }[] = []
  const open = new Set((holding.tasks ?? []).map((one) => one.id))
  const grants = teller(holding.left ?? { tokens: null, usd: null }, holding.prices)
  const absent = (): never => {
    throw new Error('not part of this fake')
  }
  return {
    asked,
    commits,
    charged,
    async retrieve(request) {
      asked.push(request)
      const evidence = holding.evidence ?? []
      const pool = request.pool ? { pool: { weight: holding.weight ?? 1, paths: evidence.map(() => null) } } : {}
      const found: RetrieveResult = { kind: 'evidence', evidence, ...pool, version: 7, ...rarityIn(evidence, request.text) }
      const all = holding.retrieve ?? [found]
      const result = all[Math.min(asked.length, all.length) - 1] ?? found
      const isCapped = holding.left && (holding.left.tokens !== null || holding.left.usd !== null)
      if (!isCapped || (result.kind !== 'evidence' && result.kind !== 'wanted')) return result
      return { ...result, held: request.hold ? (grants([request.hold])[0] ? 'granted' : 'refused') : 'unasked' }
    },
    async verify(quotes) {
      return quotes.map(({ document, start, end, quote }) => (holding.documents?.[document]?.slice(start, end) === quote ? {} : null))
    },
    async charge(stages) {
      const sum = (pick: (one: Spent) => number) => Object.values(stages).reduce((total, one) => total + pick(one), 0)
      charged.push({ in: sum((one) => one.in), out: sum((one) => one.out), embedded: sum((one) => one.embedded) })
    },
    reserve: async (holds) => grants(holds),
    describing: absent,
    usage: absent,
    receipts: absent,
    putProbes: absent,
    probes: absent,
    health: absent,
    async openTasks(_runner, limit) {
      const tasks = (holding.tasks ?? []).filter((one) => open.has(one.id)).slice(0, limit)
      return { tasks, left: open.size, paused: false }
    },
    async commit(_runner, results) {
      if (commits.length >= (holding.lostAfter ?? Number.POSITIVE_INFINITY)) return { kind: 'lost' }
      commits.push(results)
      for (const result of results) open.delete(result.id)
      return { kind: 'committed', left: open.size }
    },
    release: async () => {},
    configure: absent,
    view: absent,
    accept: absent,
    maintain: absent,
    migration: absent,
    migrate: absent,
    layout: absent,
    repartition: absent,
    size: absent,
    moveModel: absent,
    move: absent,
    backupPage: absent,
    restore: absent,
    restoreState: absent,
    recoveryEstimate: absent,
    recover: absent,
    withdrawals: absent,
    reconcile: absent,
    job: absent,
    jobs: absent,
    setAccess: absent,
    setLanguage: absent,
    seen: absent,
    entity: absent,
    around: absent,
    above: absent,
    aroundAbove: absent,
    cancel: absent,
    retry: absent,
    documents: absent,
    document: absent,
    documentFile: absent,
    chunks: absent,
    correctChunk: absent,
    changes: absent,
    links: absent,
    dataOf: absent,
    drain: absent,
    tend: absent,
    filters: absent,
    putFilter: absent,
    changeFilter: absent,
    keptAnswer: absent,
    putLabel: absent,
    labels: absent,
    dropLabel: absent,
    classify: absent,
    learn: absent,
    unlearn: absent,
    nameOperations: absent,
    decide: absent,
    undecide: absent,
    decisions: absent,
    pinned: absent,
    weigh: absent,
    backupStarts: absent,
    takeRulings: absent,
    named: absent,
    tellPartitions: absent,
    partEntities: absent,
    readPartition: absent,
    showPartition: absent,
    audit: absent,
    noteAudit: absent,
  }
}

export const config: CorpusConfig = {
  uid: 'uid-1',
  name: 'test',
  strategies: [],
  settings: { ...defaultSettings, dimensions: 16 },
  budget: {},
}

export function configFor({ left, prices }: Holding): CorpusConfig {
  return { ...config, ...(left ? { budget: { tokens: 1 } } : {}), ...(prices ? { prices } : {}) }
}

export function fakeIndex(hits: readonly { id: string; score: number }[] | Error = []): VectorIndex & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    upsert: async () => undefined,
    remove: async () => undefined,
    fetch: async () => [],
    size: async () => ({ vectors: 0, max: 1 }),
    removeUnnamed: async () => undefined,
    async query(corpus, _vector, { kind, k }) {
      asked.push(`${corpus}/${kind}/${k}`)
      if (hits instanceof Error) throw hits
      return hits
    },
  }
}

/** A clock that moves one millisecond whenever it is read. */
export function clock(): () => number {
  let now = 0
  return () => ++now
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = []
  for await (const item of items) out.push(item)
  return out
}

/** As if the corpus were the evidence. */
function rarityIn(evidence: readonly Evidence[], question: string) {
  const said = evidence.map((one) => new Set(terms(`${one.title ?? ''}\n${one.text}`)))
  return {
    frequencies: distinct(terms(question)).map((term) => [term, said.filter((one) => one.has(term)).length] as const),
    passages: evidence.length,
  }
}
