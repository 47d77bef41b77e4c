/** A corpus object in Node on a file of SQLite that takes pages in, sends its sinks what is new, and is asked, with everything timed that keeps its thread. */
import { statSync } from 'node:fs'
import { commitNext } from '../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../durable-objects/corpus/indexing/runner'
import { accept } from '../../durable-objects/corpus/ingest/accept'
import { confirmRemovals } from '../../durable-objects/corpus/outbox/confirm-removals'
import { drainIndex, updateVisibility } from '../../durable-objects/corpus/outbox/index-sink'
import { deleteSentRows } from '../../durable-objects/corpus/outbox/outbox'
import { drainModel } from '../../durable-objects/corpus/outbox/read-model-sink'
import { retrieve } from '../../durable-objects/corpus/query/retrieve'
import type { CorpusContext } from '../../durable-objects/corpus/store'
import { quantize } from '../../src/core/vectors'
import { embedTexts } from '../../src/flows/embed'
import type { Models } from '../../src/ports/models'
import type { ReadModel } from '../../src/ports/read-model'
import type { TaskResult } from '../../src/ports/tasks'
import type { VectorEntry, VectorIndex } from '../../src/ports/vector-index'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject, type Opened, openSql } from '../lib/object'
import type { Corpus, Page } from './corpus'

const TEXTS = 1024 // of a round
const WINDOW = 256 // tokens
const ENTRY_POINTS = 100 // passages that the index finds

/** Of one piece of work without a pause, ms. */
export interface Turn {
  readonly what: string
  readonly clock: number
  readonly cpu: number
}

const encoder = theStaticEncoder()
const models = {
  embedding: { dimensions: STATIC_DIMENSIONS, window: WINDOW },
  embed: async (texts: readonly string[]) => ({
    vectors: texts.map((text) => encoder.encode(text)),
    spent: { in: 0, out: 0, embedded: 0 },
    calls: 0,
  }),
} as unknown as Models

/** Shows what was written at once. */
function shownIndex(): VectorIndex {
  let mark: VectorEntry | undefined
  return {
    upsert: async (_: string, entries: readonly VectorEntry[]) => {
      mark = entries.findLast((one) => one.id === 'mark') ?? mark
    },
    remove: async () => {},
    removeUnnamed: async () => {},
    fetch: async (_: string, ids: readonly string[]) => (mark && ids.includes('mark') ? [mark] : []),
  } as unknown as VectorIndex
}

const readModel = { publish: async () => ({ rows: 0, bytes: 0 }) } as unknown as ReadModel

export class GrowingObject {
  readonly sql: Opened
  readonly context: CorpusContext
  readonly #path: string
  readonly #lastQuestion = { at: 0 }
  readonly #index = shownIndex()
  turns: Turn[] = []

  constructor(path: string, strategies: readonly string[], postings?: number) {
    this.#path = path
    this.sql = openSql(path)
    const { context } = localObject(strategies, { dimensions: STATIC_DIMENSIONS }, this.sql, { postings })
    this.context = { ...context, lastQuestion: this.#lastQuestion }
  }

  /** Of its database, with what waits in the log beside it. */
  get bytes(): number {
    return ['', '-wal'].reduce((sum, end) => sum + (statSync(this.#path + end, { throwIfNoEntry: false })?.size ?? 0), 0)
  }

  /** `beside`: done between two turns, as other requests are. */
  async take(pages: readonly Page[], beside: () => void = () => {}): Promise<void> {
    const { context } = this
    const upserts = pages.map((page) => ({ ...page, url: null, metadata: {} }))
    const { kind } = this.#turn('accept', () => accept(context, { kind: 'batch', upserts, deletes: [] }))
    if (kind !== 'accepted') throw new Error(`with ${context.graph.count('chunk')} chunks the object answered: ${kind}`) // it is full
    await this.#work(beside)
  }

  async remove(ids: readonly string[]): Promise<void> {
    this.#turn('accept', () => accept(this.context, { kind: 'batch', upserts: [], deletes: ids }))
    await this.#work(() => {})
  }

  async #work(beside: () => void): Promise<void> {
    const { context } = this
    const turn = <T>(what: string, work: () => T): T => {
      const result = this.#turn(what, work)
      beside()
      return result
    }
    for (;;) {
      const round = turn('lease', () => openTasks(context, 'node', TEXTS))
      if (!round || round.tasks.length === 0) {
        if (turn('commit', () => commitNext(context))) continue // a deletion may have nothing to embed
        break
      }
      const results = await this.#embedded(round.tasks)
      turn('commit', () => commitRound(context, 'node', results))
      while (turn('commit', () => commitNext(context))) {}
    }
    await this.#timed('index', () => drainIndex(context, this.#index, Number.POSITIVE_INFINITY))
    await this.#timed('read model', () => drainModel(context, readModel))
    await updateVisibility(context, this.#index)
    await confirmRemovals(context, this.#index, Number.POSITIVE_INFINITY)
    deleteSentRows(context)
  }

  /** A question of `auto` that comes while documents do, or after them. */
  ask(corpus: Corpus, n: number, pages: number, strategy = 'auto'): Turn {
    const text = corpus.question(n, pages)
    const vector = quantize(encoder.encode(text))
    const near = { passage: this.context.graph.nearest(vector, 'passage', ENTRY_POINTS) } // what is asked of the index is not the object's work
    const request = { strategy, text, vector, near, topK: 10, budget: 4000, trace: false, options: {} }
    this.#lastQuestion.at = Date.now()
    const since = performance.now()
    const used = process.cpuUsage()
    const found = retrieve(this.context, request)
    if (found.kind !== 'evidence') throw new Error(found.kind)
    return { what: strategy, clock: performance.now() - since, cpu: milliseconds(used) }
  }

  quiet(): void {
    this.#lastQuestion.at = 0
  }

  async #embedded(tasks: NonNullable<ReturnType<typeof openTasks>>['tasks']): Promise<TaskResult[]> {
    const texts = tasks.map(({ brief }) => ('texts' in brief ? brief.texts : []))
    const { vectors } = await this.#timed('embed', () => embedTexts(models, texts.flat()))
    let at = 0
    return tasks.map(({ id, node, input }, i): TaskResult => {
      const own = vectors.slice(at, at + (texts[i]?.length ?? 0))
      at += own.length
      return { id, reply: { node, input, kind: 'embed', vectors: own }, spent: { in: 0, out: 0, embedded: 0 }, calls: {} }
    })
  }

  #turn<T>(what: string, work: () => T): T {
    const since = performance.now()
    const used = process.cpuUsage()
    const result = work()
    this.turns.push({ what, clock: performance.now() - since, cpu: milliseconds(used) })
    return result
  }

  async #timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const since = performance.now()
    const used = process.cpuUsage()
    const result = await work()
    this.turns.push({ what, clock: performance.now() - since, cpu: milliseconds(used) })
    return result
  }
}

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
