/**
 * What a month of Loam costs on Cloudflare, idle and busy, line by line: prices by the tables of models and of the platform, quantities by
 * what a chunk was measured to leave behind. `npm run deploy -- --plan` prints it. Estimates with their assumptions, not a bill.
 */
import type { Spent } from '../../src/contract/usage'
import { NEURON_USD, PRICED_ON, usdOf } from '../../src/flows/prices'
import { aiLimits } from '../../src/platform-limits'
import type { Models } from '../../src/ports/models'
import { PLATFORM, PLATFORM_PRICED_ON, type Price } from './platform'

export const PRICED = { models: PRICED_ON, platform: PLATFORM_PRICED_ON }

export interface Line {
  readonly name: string
  readonly amount: number
  readonly included: number
  /** Beyond what is included. */
  readonly usd: number
}
export interface Month {
  readonly assumed: string
  readonly lines: readonly Line[]
  /** The plan's own price included. */
  readonly usd: number
}
export interface Configured {
  readonly models: Pick<Models, 'embedding' | 'text' | 'reranker'>
  /** The share of requests that are logged. */
  readonly sampling: number
  /** Of the cron trigger, in a month. */
  readonly runs: number
}

/**
 * Per chunk with the strategies that are on by default (erarag, cluerag, ketrag): rows, vectors and gigabytes counted in a local Loam with
 * 100 documents (`bench/costs/measured.ts`), bytes for vectors of 1,024 numbers; tokens by the product's own estimate for 1,000 documents.
 */
const CHUNK = { objectRows: 81, d1Rows: 40, vectors: 15.3, object: 0.0002, d1: 0.000023 }
const WRITING = { in: 3078, out: 893, embedded: 3078 } // tokens with a text model
const EMBEDDING = { in: 0, out: 0, embedded: 2302 } // tokens without one
const CHUNKS = 1.1 // of a document of two pages
/** Of one question. `awake`: seconds its object stays in memory, if no other question keeps it there. */
const QUESTION = { objectCalls: 3, rowsRead: 5000, vectorQueries: 3, cpu: 15, awake: 10, logs: 2 }
const ASKING = { in: 0, out: 0, embedded: 20 } // tokens
const RERANKING = { in: 4000, out: 0, embedded: 0 }
const ANSWERING = { in: 4350, out: 300, embedded: 0 }
/** Of one document that is taken in. */
const DOCUMENT = { requests: 2, objectCalls: 10, steps: 3, cpu: 50, awake: 10, logs: 6 }
const SECONDS = 30 * 86_400 // of a month
const OBJECT_GB = 0.128 // that a second of an object is billed as
const NEURONS = { included: aiLimits.freeNeuronsPerDay * 30, unit: 1000, usd: NEURON_USD * 1000 } // if spread over the days

interface Load {
  readonly documents: number // held
  readonly changed: number // in the month
  readonly questions: number // in the month
  readonly answered: number // of them by the text model
}
const IDLE: Load = { documents: 1000, changed: 0, questions: 0, answered: 0 }
const BUSY: Load = { documents: 10_000, changed: 3000, questions: 300_000, answered: 30_000 }

export const months = (configured: Configured): { readonly idle: Month; readonly busy: Month } => ({
  idle: monthOf(IDLE, configured, 'one corpus of 1,000 documents of two pages; nothing is asked and nothing changes'),
  busy: monthOf(
    BUSY,
    configured,
    `one corpus of 10,000 documents of two pages, 100 of them new or changed a day, and 10,000 questions a day${configured.models.text ? ', 1,000 of them answered by the text model' : ''}`,
  ),
})

function monthOf({ documents, changed, questions, answered }: Load, { models, sampling, runs }: Configured, assumed: string): Month {
  const [held, written] = [documents * CHUNKS, changed * CHUNKS]
  const requests = runs + questions + changed * DOCUMENT.requests
  const stored = held * CHUNK.vectors * models.embedding.dimensions
  const awake = Math.min(SECONDS, questions * QUESTION.awake + changed * DOCUMENT.awake)
  const lines = [
    line('Worker: requests', requests, PLATFORM.requests),
    line('Worker: processor ms', questions * QUESTION.cpu + changed * DOCUMENT.cpu + runs * 10, PLATFORM.cpu),
    line('objects: requests', questions * QUESTION.objectCalls + changed * DOCUMENT.objectCalls, PLATFORM.objectRequests),
    line('objects: object time, GB-s', awake * OBJECT_GB, PLATFORM.objectTime),
    line('objects: rows read', questions * QUESTION.rowsRead, PLATFORM.rowsRead),
    line('objects: rows written', 2 * written * CHUNK.objectRows, PLATFORM.rowsWritten), // the old text's rows go
    line('objects: GB stored', held * CHUNK.object, PLATFORM.objectStorage),
    line('D1: rows written', 2 * written * CHUNK.d1Rows, PLATFORM.rowsWritten),
    line('D1: GB stored', held * CHUNK.d1, PLATFORM.d1Storage),
    line('Vectorize: vector dimensions stored', stored, PLATFORM.dimensionsStored),
    line('Vectorize: vector dimensions queried', queried(questions, stored, models.embedding.dimensions), PLATFORM.dimensionsQueried),
    line('Workflows: steps', changed * DOCUMENT.steps, PLATFORM.steps),
    line('Workers AI: neurons', neurons({ written, questions, answered }, models), NEURONS),
    line('logs: events', (requests * QUESTION.logs + changed * DOCUMENT.logs) * sampling, PLATFORM.logs),
  ]
  return { assumed, lines, usd: PLATFORM.plan + lines.reduce((sum, { usd }) => sum + usd, 0) }
}

/** Vectors asked with and vectors kept are added up; nothing is asked, nothing is billed. */
const queried = (questions: number, stored: number, dimensions: number): number =>
  questions === 0 ? 0 : questions * QUESTION.vectorQueries * dimensions + stored

function neurons(
  { written, questions, answered }: { readonly written: number; readonly questions: number; readonly answered: number },
  models: Configured['models'],
): number {
  const cost = (spent: Spent, times: number, stage?: string): number => usdOf(models, spent, stage) * times
  const usd =
    cost(models.text ? WRITING : EMBEDDING, written) +
    cost(ASKING, questions) +
    (models.reranker ? cost(RERANKING, questions, 'rerank') : 0) +
    (models.text ? cost(ANSWERING, answered) : 0)
  return usd / NEURON_USD
}

function line(name: string, amount: number, { included, unit, usd }: Price): Line {
  return { name, amount, included, usd: (Math.max(0, amount - included) / unit) * usd }
}
