/** Documents in an object of their own, with the vectors that an index of vectors would have. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Vector } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'
import type { Passage } from '../quality/corpora'
import { GrowingObject } from '../scale/growing-object'

const BATCH = 320_000 // characters taken in at once, as `loam ingest` sends them
const TELL = 100 // batches from one line of progress to the next, where the database is kept

/** What the index of vectors has. */
export type Shown = 'passage' | 'summary'

export interface Held {
  readonly graph: GraphReader
  readonly vectors: { readonly [kind in Shown]: readonly { readonly id: string; readonly vector: Vector }[] }
}

interface Holding {
  /** Of the database, which is kept, and taken as it is if it was made to its end before. Absent: it is in memory. */
  readonly file?: string | undefined
  /** What a question may read of the keyword index, if not what the object says. */
  readonly postings?: number | undefined
}

export async function held(documents: readonly Passage[], strategies: readonly string[], { file, postings }: Holding): Promise<Held> {
  const done = `${file}.done`
  const isMade = file !== undefined && existsSync(done)
  if (file && !isMade) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  if (file) mkdirSync(dirname(file), { recursive: true })
  const object = new GrowingObject(file ?? ':memory:', strategies, postings)
  if (!isMade) await take(object, documents, file)
  if (file) writeFileSync(done, '')
  const { graph } = object.context
  const passages = graph.page('chunk', '', 1e9).flatMap((chunk) => (graph.chunk(chunk)?.passages ?? []).map((_, i) => passageId(chunk, i)))
  const withVectors = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const vector = graph.vector(id)
      return vector ? [{ id, vector }] : []
    })
  return { graph, vectors: { passage: withVectors(passages), summary: withVectors(graph.page('summary', '', 1e9)) } }
}

async function take(object: GrowingObject, documents: readonly Passage[], file: string | undefined): Promise<void> {
  let batch: Passage[] = []
  let [size, batches, before] = [0, 0, 0]
  const send = async (): Promise<void> => {
    if (batch.length > 0) await object.take(batch)
    ;[batch, size] = [[], 0]
    if (file && ++batches % TELL === 0) tell()
  }
  const tell = (): void => {
    const chunks = object.context.graph.count('chunk')
    const sum = (what: string): number => object.turns.filter((turn) => turn.what === what).reduce((total, turn) => total + turn.cpu, 0)
    const each = ['commit', 'embed', 'accept', 'read model'].map((what) => `${what} ${(sum(what) / (chunks - before)).toFixed(2)}`)
    console.log(`${file}: ${chunks} chunks; ms of the processor for each of the last ${chunks - before}: ${each.join(', ')}`)
    before = chunks
    object.turns = []
  }
  for (const document of documents) {
    batch.push(document)
    size += document.text.length
    if (size >= BATCH) await send()
  }
  await send()
}
