/**
 * KET-RAG's keyword–passage graph. Its edges are the keyword index's postings and its statistics a view (`keyword-mean.ts`), so an insert writes
 * nothing here and a delete leaves nothing behind. Only entry points are written: `consolidate` publishes a node for each keyword in 8 to 64
 * passages, with the mean of all sentences that say it as its vector, and does so again only when that mean has turned by more than `DRIFT`. What a
 * question reads is measured again, so a stale entry point costs reach, never truth. A published keyword goes with its texts.
 */
import { publishedTerm } from '../../builders/published-term'
import type { GraphReader } from '../../graph/reader'
import type { Change, Chunk } from '../../graph/types'
import { nodeId, unitId } from '../../ids'
import type { Builder, Update } from '../../strategy'
import { spelled } from '../../text/terms'
import { countTokens } from '../../text/tokens'
import { accumulate, cosine, quantize } from '../../vectors'
import { band, type KeywordMean } from './keyword-mean'
import { chunkTerms } from './keyword-terms'

const DRIFT = 0.97 // cosine with the published mean below which the keyword is published again: a turn of 14 degrees
const PAGE = 500 // nodes read at a time
const SLICE = 8000 // keywords summed in one pass over the corpus: 16 MB at 512 dimensions
const OF_A_CHUNK = 12 // keywords, about; and the bytes of each beside its sum:
const ROW = 200
const TRIES = 3 // drafts begun, in steps, if texts leave the corpus meanwhile; the last is made in one step

/** What steps cost, in sentences analysed. */
const cost = { addition: 0.05, entry: 3, page: 100 } as const

export const keywords: Builder = {
  name: 'keywords',
  builds: [],
  unitVectors: true,
  update(graph, { removed }) {
    const terms = [...new Set(removed.flatMap(({ chunk }) => [...chunkTerms(chunk).passages.keys()]))].sort()
    const known = terms.filter((term) => graph.node(keywordId(term)))
    const frequencies = graph.frequency(known)
    const gone = known.filter((_, i) => (frequencies[i] ?? 0) < band.min)
    return { patch: gone.map((term): Change => ({ op: 'drop-node', id: keywordId(term) })), tasks: [] }
  },
  consolidate: (graph) => ended(drafted(graph)),
  consolidating: drafted,
  consolidatingHolds: (graph) => Math.min(SLICE, OF_A_CHUNK * graph.count('chunk')) * (4 * graph.dimensions + ROW),
}

/**
 * Everything to be published. What arrives between two steps may be missed until the next time; but nothing of a deleted text gets in, since a text
 * that leaves during drafting makes it start again.
 */
function* drafted(graph: GraphReader): Generator<number, Update> {
  for (let tries = 1; ; tries++) {
    const read = new Set<string>()
    const steps = draftedOnce(graph, read)
    const update = tries < TRIES ? yield* steps : ended(steps)
    if (tries === TRIES || isThere(graph, read)) return update
  }
}

function* draftedOnce(graph: GraphReader, read: Set<string>): Generator<number, Update> {
  const inBand = yield* publishable(graph, read)
  const patch: Change[] = []
  for (let at = 0; at < inBand.length; at += SLICE) {
    const rows = yield* summed(graph, read, inBand.slice(at, at + SLICE))
    for (const [term, row] of rows) {
      patch.push(...entry(graph, term, row))
      yield cost.entry
    }
  }
  for (const page of published(graph)) {
    patch.push(...withdrawn(graph, page, new Set(inBand)))
    yield cost.page
  }
  return { patch, tasks: [] }
}

/** Runs all steps without a pause. */
function ended<T>(steps: Generator<number, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

function* chunksOf(graph: GraphReader): Generator<Chunk> {
  for (let ids = graph.page('chunk', '', PAGE); ids.length > 0; ids = graph.page('chunk', ids[ids.length - 1] ?? '', PAGE)) {
    for (const id of ids) {
      const chunk = graph.chunk(id) // may be gone by now
      if (chunk) yield chunk
    }
  }
}

/** Are all of these still in the graph? */
function isThere(graph: GraphReader, chunks: ReadonlySet<string>): boolean {
  let found = 0
  for (let ids = graph.page('chunk', '', PAGE); ids.length > 0; ids = graph.page('chunk', ids[ids.length - 1] ?? '', PAGE)) {
    for (const id of ids) if (chunks.has(id)) found++
  }
  return found === chunks.size
}

/** The node of a published keyword. Another strategy's node for the same word has another id. */
export function keywordId(term: string): string {
  return nodeId('keyword', 'ketrag', term)
}

/** Keywords of the band, sorted. */
function* publishable(graph: GraphReader, read: Set<string>): Generator<number, readonly string[]> {
  const passages = new Map<string, number>()
  for (const chunk of chunksOf(graph)) {
    read.add(chunk.id)
    for (const [term, count] of chunkTerms(chunk).passages) passages.set(term, (passages.get(term) ?? 0) + count)
    yield chunk.units.length
  }
  return [...passages].flatMap(([term, count]) => (isPublished(count) ? [term] : [])).sort()
}

const isPublished = (passages: number): boolean => passages >= band.min && passages <= band.max

function* summed(graph: GraphReader, read: Set<string>, terms: readonly string[]): Generator<number, ReadonlyMap<string, KeywordMean>> {
  const rows = new Map(terms.map((term) => [term, { frequency: 0, count: 0, sum: new Int32Array(graph.dimensions) }]))
  for (const chunk of chunksOf(graph)) {
    read.add(chunk.id)
    let additions = 0
    const { passages, units } = chunkTerms(chunk)
    for (const [term, count] of passages) {
      const row = rows.get(term)
      if (!row) continue
      row.frequency += count
      for (const ordinal of units.get(term) ?? []) {
        const vector = graph.vector(unitId(chunk.id, ordinal))
        if (!vector) continue
        accumulate(row.sum, vector)
        row.count++
        additions++
      }
    }
    yield chunk.units.length + cost.addition * additions
  }
  return rows
}

function entry(graph: GraphReader, term: string, { frequency, count, sum }: KeywordMean): Change[] {
  if (count === 0 || !isPublished(frequency)) return []
  const id = keywordId(term)
  const known = graph.node(id)?.vector
  if (known && cosine(known, sum) >= DRIFT) return []
  const text = spelled(term)
  const data = { published: true, term, passages: frequency, sentences: count }
  return [{ op: 'put-node', node: { id, kind: 'keyword', layer: 0, text, tokens: countTokens(text), vector: quantize(sum), data } }]
}

function* published(graph: GraphReader): Generator<readonly string[]> {
  for (let ids = graph.page('keyword', '', PAGE); ids.length > 0; ids = graph.page('keyword', ids[ids.length - 1] ?? '', PAGE)) yield ids
}

/** Nodes whose keyword has left the band. Other strategies' keywords are left alone. */
function withdrawn(graph: GraphReader, ids: readonly string[], inBand: ReadonlySet<string>): Change[] {
  return ids.flatMap((id): Change[] => {
    const term = publishedTerm(graph, id)
    return term !== undefined && !inBand.has(term) ? [{ op: 'drop-node', id }] : []
  })
}
