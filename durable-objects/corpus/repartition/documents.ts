/** Documents that other partitions are given: as they were accepted last, with their vectors. And documents that come from others. */
import type { Chunk, Placed } from '../../../src/core/graph/types'
import { isLanguage } from '../../../src/core/text/languages'
import type { MoveAnswer, MovedChunk, MovedDocument, MoveOrder } from '../../../src/ports/repartition'
import { labelsIn } from '../access/readable'
import { concat, vectorsOf } from '../indexing/with-vectors'
import { acceptWithAudit } from '../ingest/accept-with-audit'
import { storedInput } from '../ingest/stored-input'
import type { CorpusContext } from '../store'
import { readFile } from '../tables/file'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { listChanged } from '../tables/moving'
import { listAccessAfter, type Revision, readLiveRevision, readNewestRevision, setMoved } from '../tables/revision'
import { hasStagedVectors, putStagedWithVectors } from '../tables/staged'

const AT_ONCE = 100 // documents
const BYTES = 2 * 1024 * 1024 // of texts, vectors and files in one answer, about: one document may have more

type Found = Extract<MoveAnswer, { readonly kind: 'documents' }>

/** Documents after an id, whatever has become of them: what changes from now on is noted. */
export function readDocuments(context: CorpusContext, after: string): Found {
  const ids = listAccessAfter(context.sql, after, AT_ONCE).map(({ id }) => id)
  const { documents, last } = collect(context, ids)
  const isAll = last === ids.length && ids.length < AT_ONCE
  return { kind: 'documents', documents, gone: [], changes: [], next: isAll ? null : (ids[last - 1] ?? null) }
}

/** Those that have changed since they were read. A version that is not served yet is noted again when it is. */
export function readChanges(context: CorpusContext): Found {
  const changes = listChanged(context.sql, 0, AT_ONCE)
  const ids = changes.map(({ document }) => document)
  const { documents, gone, last } = collect(context, ids)
  return { kind: 'documents', documents, gone, changes: changes.slice(0, last), next: null }
}

function collect(context: CorpusContext, ids: readonly string[]) {
  const documents: MovedDocument[] = []
  const gone: string[] = []
  let [bytes, last] = [0, 0]
  for (const id of ids) {
    if (bytes >= BYTES) break
    last++
    const newest = readNewestRevision(context.sql, id)
    const revision = newest?.state === 'failed' ? (readLiveRevision(context.sql, id) ?? newest) : newest // what is served stays
    if (!revision) gone.push(id)
    else if (revision.state !== 'staged') {
      const one = moved(context, revision)
      documents.push(one)
      bytes += revision.text.length + one.chunks.reduce((sum, { passages, units }) => sum + passages.byteLength + units.byteLength, 0)
      bytes += one.input.file instanceof Uint8Array ? one.input.file.length : 0
    }
  }
  return { documents, gone, last }
}

function moved(context: CorpusContext, revision: Revision): MovedDocument {
  const { file: _, ...input } = storedInput(context.sql, revision, isLanguage(revision.language) ? revision.language : null)
  const file = readFile(context.sql, revision.n)
  const chunks = new Set((JSON.parse(revision.placed) as Placed[]).map(({ chunk }) => chunk))
  return {
    input: {
      ...input,
      access: labelsIn(revision.access),
      active: revision.active === 1,
      correctionOf: revision.source,
      ...(file ? { file } : {}),
    },
    contentVersion: revision.content_version,
    hash: revision.hash,
    acceptedAt: revision.accepted_at,
    chunks: [...chunks].flatMap((id) => movedChunk(context, context.graph.chunk(id)) ?? []),
  }
}

/** Undefined: it lacks vectors, and is embedded there. */
function movedChunk(context: CorpusContext, chunk: Chunk | undefined): MovedChunk | undefined {
  if (!chunk) return undefined
  const { passages, units } = vectorsOf(context, chunk)
  if (passages.length < chunk.passages.length) return undefined
  return { chunk, passages: bytesOf(passages), units: bytesOf(units) }
}

const bytesOf = (vectors: Parameters<typeof concat>[0]): ArrayBuffer => concat(vectors).buffer as ArrayBuffer

class Full extends Error {}

/** All of it, or nothing. An order that comes after a later one is of documents as they no longer are. */
export function takeDocuments(context: CorpusContext, { n, documents, deletes }: Extract<MoveOrder, { readonly kind: 'put' }>): MoveAnswer {
  const { sql, graph } = context
  try {
    return context.atomically((): MoveAnswer => {
      const arriving = readMeta(sql, metaKeys.arriving)
      if (!arriving?.isQuiet) return { kind: 'empty' }
      if (n <= arriving.n) return { kind: 'done' }
      writeMeta(sql, metaKeys.arriving, { ...arriving, n })
      for (const { chunk, passages, units } of documents.flatMap(({ chunks }) => chunks)) {
        if (!graph.chunk(chunk.id) && !hasStagedVectors(sql, chunk.id)) putStagedWithVectors(sql, chunk, { passages, units })
      }
      const upserts = documents.map(({ input }) => input)
      const here = deletes.filter((id) => readNewestRevision(sql, id) !== undefined)
      if (upserts.length + here.length === 0) return { kind: 'done' }
      const accepted = acceptWithAudit(context, undefined, { kind: 'batch', upserts, deletes: here, isMoved: true })
      if (accepted.kind === 'full') throw new Full()
      for (const { input, contentVersion, hash, acceptedAt } of documents)
        setMoved(sql, input.id, { content_version: contentVersion, hash, accepted_at: acceptedAt })
      return { kind: 'done' }
    })
  } catch (error) {
    if (error instanceof Full) return { kind: 'refused', why: 'full' }
    throw error
  }
}
