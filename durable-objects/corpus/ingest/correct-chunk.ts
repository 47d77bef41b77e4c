/**
 * A person corrects what a chunk says: the document is indexed again with that range of its text replaced, by a job like any other. Its chunks follow from
 * the text, so a correction must be made in the text.
 */

import { MAX_TEXT } from '../../../src/contract/document-limits'
import type { Asker } from '../../../src/core/access/labels'
import type { Placed } from '../../../src/core/graph/types'
import { movedGraph } from '../../../src/core/text/brought'
import { isLanguage, type Language } from '../../../src/core/text/languages'
import { placesAfter, replaceRange } from '../../../src/core/text/replaced'
import type { Actor } from '../../../src/ports/audit'
import type { ChunkCorrection, DocumentInput } from '../../../src/ports/documents'
import type { Corrected } from '../../../src/ports/jobs'
import { mayRead } from '../access/readable'
import { addAuditEntries } from '../audit/log'
import { integratingJob } from '../jobs/integration-state'
import type { CorpusContext } from '../store'
import { listDocumentsLeaving, setJobKey } from '../tables/job'
import { type Revision, readNewestRevision } from '../tables/revision'
import { accept, hashOf } from './accept'
import { sourceOf } from './corrections'
import { storedInput } from './stored-input'

const encoder = new TextEncoder()

interface Asked {
  readonly asker: Asker | undefined
  readonly by: Actor | undefined
}

/** Null: there is no such document, or none that the asker may read. */
export function correctChunk(context: CorpusContext, correction: ChunkCorrection, { asker, by }: Asked): Corrected | null {
  const { sql } = context
  const { document: id } = correction
  const revision = readNewestRevision(sql, id)
  if (!revision || !mayRead(context, id, asker)) return null
  return context.atomically(() => {
    const corrected = correct(context, revision, correction)
    const outcome = corrected.kind === 'accepted' ? 'done' : corrected.kind
    addAuditEntries(context, by, [{ action: 'document.correct', document: id, outcome }])
    if (by && corrected.kind === 'accepted') setJobKey(sql, corrected.job, by.key)
    return corrected
  })
}

function correct(context: CorpusContext, revision: Revision, { document, text: by, ifMatch, ...which }: ChunkCorrection): Corrected {
  const { sql } = context
  if (ifMatch !== undefined && revision.content_version !== ifMatch) return { kind: 'precondition_failed' }
  const isLeaving = listDocumentsLeaving(sql, [document], integratingJob(context) ?? 0).length > 0
  if (revision.state !== 'live' || isLeaving) return { kind: 'changing' }
  const place = placeOf(context, revision, which)
  if (place.kind !== 'place') return place
  if (revision.text.slice(place.start, place.end) === by) return { kind: 'unchanged', documents: [{ document, status: 'unchanged' }] }
  const input = inputOf(context, revision)
  const { text, outline } = replaceRange(revision.text, input.outline ?? [], place, by)
  const brought = input.brought && movedGraph(input.brought, placesAfter(revision.text, place, by))
  if (text.trim() === '') return { kind: 'blank' }
  if (encoder.encode(text).length > MAX_TEXT) return { kind: 'too_large' }
  const source = revision.source || sourceOf(revision.text)
  const correctionOf = sourceOf(text) === source ? '' : source
  const upsert = { ...input, text, ...(outline.length > 0 ? { outline } : {}), ...(brought ? { brought } : {}), correctionOf }
  return accept(context, { kind: 'ingest', upserts: [upsert], deletes: [] })
}

type Which = Pick<ChunkCorrection, 'chunk' | 'ordinal'>

function placeOf({ graph }: Pick<CorpusContext, 'graph'>, { placed, text }: Revision, { chunk: id, ordinal }: Which) {
  const places = (JSON.parse(placed) as Placed[]).flatMap((one, i) =>
    one.chunk === id && (ordinal === undefined || ordinal === i) ? [one.start] : [],
  )
  const [start] = places
  const chunk = graph.chunk(id)
  if (start === undefined || !chunk) return { kind: 'no_chunk' } as const
  if (places.length > 1) return { kind: 'ambiguous', places: places.length } as const
  const end = start + chunk.text.length
  if (text.slice(start, end) !== chunk.text) throw new Error('chunk: not found in its document')
  return { kind: 'place', start, end } as const
}

/** A given language stays; otherwise it is detected from the text. */
function inputOf({ sql }: Pick<CorpusContext, 'sql'>, revision: Revision): DocumentInput {
  const given: Language | null = isLanguage(revision.language) ? revision.language : null
  const untold = storedInput(sql, revision, null)
  return given === null || hashOf(untold) === revision.hash ? untold : storedInput(sql, revision, given)
}
