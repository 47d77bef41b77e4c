/** Documents as callers see them: always answered by the object, so that accepted documents are visible at once. */
import { FILE_TYPE } from '../../../src/contract/document-limits'
import type { Document, DocumentStatus } from '../../../src/contract/documents'
import type { Page } from '../../../src/contract/pages'
import type { Asker } from '../../../src/core/access/labels'
import { knowledgeOf } from '../../../src/core/builders/knowledge-row'
import type { Json, Placed } from '../../../src/core/graph/types'
import type { Dates } from '../../../src/core/text/iso-date'
import type { FilePart, FilePlace } from '../../../src/ports/documents'
import { labelsIn, mayRead, readableAfter } from '../access/readable'
import type { CorpusContext } from '../store'
import { readBrought } from '../tables/brought'
import { FILE_PART, readFilePart } from '../tables/file'
import { readJobState } from '../tables/job'
import { readOutline } from '../tables/outline'
import { type Revision, readLiveRevision, readNewestRevision } from '../tables/revision'
import { shownFileSize } from './kept-file'
import { shownLanguage } from './language'

export function document(context: CorpusContext, id: string, asker?: Asker): Document | null {
  const latest = readNewestRevision(context.sql, id)
  if (!latest || !mayRead(context, id, asker)) return null
  const live = latest.state === 'live' ? latest : readLiveRevision(context.sql, id)
  const shown = live ?? latest
  const outline = readOutline(context.sql, shown.n)
  return {
    ...view(context, latest, live),
    text: shown.text,
    ...(outline.length > 0 ? { outline } : {}),
    ...graphOf(context, shown),
    ...(outline.some((entry) => entry.described) ? { conversion: 'described' } : {}),
  }
}

/** A part of its file: of the content that is served, or of the version that the parts before it are of. Null: there is no such document. */
export function documentFile(context: CorpusContext, id: string, { part, revision }: FilePlace, asker?: Asker): FilePart | 'none' | null {
  const latest = readNewestRevision(context.sql, id)
  if (!latest || !mayRead(context, id, asker)) return null
  const shown = latest.state === 'live' ? latest : (readLiveRevision(context.sql, id) ?? latest)
  const size = shownFileSize(context, shown)
  const bytes = size > 0 && (revision ?? shown.n) === shown.n ? readFilePart(context.sql, shown.n, part) : undefined
  if (!bytes) return 'none'
  const isLast = (part + 1) * FILE_PART >= size
  return { revision: shown.n, version: latest.content_version, title: shown.title, size, bytes, isLast }
}

/** What came with it, and how much of that is in the graph. */
function graphOf({ sql, graph }: CorpusContext, { n, placed, state }: Revision): Pick<Document, 'graph'> {
  const sent = readBrought(sql, n)
  if (!sent) return {}
  const [entities, relations] = [sent.entities.length, sent.relations.length]
  if (state !== 'live') return { graph: { entities, relations, unplaced: 0, left_out: { entities: 0, relations: 0, ends: 0, room: 0 } } }
  const chunks = (JSON.parse(placed) as Placed[]).map((one) => one.chunk)
  const brought = chunks.flatMap((chunk) => graph.chunk(chunk)?.brought ?? [])
  const dropped = chunks.flatMap((chunk) => knowledgeOf(graph, chunk)?.dropped ?? [])
  const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0)
  const left = {
    entities: entities - sum(brought.map((one) => one.entities.length)),
    relations: relations - sum(brought.map((one) => one.relations.length)),
    ends: sum(dropped.map((one) => one.absent)),
    room: sum(dropped.map((one) => one.room)),
  }
  return { graph: { entities, relations, unplaced: left.entities + left.relations, left_out: left } }
}

/** In order of id; the cursor is the id after which it continues: the last one returned, or one that the asker may not see. */
export function documents(context: CorpusContext, cursor: string | null, limit: number, asker?: Asker, prefix = ''): Page<Document> {
  const { rows, next } = readableAfter(context, cursor ?? prefix, limit, asker)
  const isNamed = cursor === null && prefix !== '' && mayRead(context, prefix, asker) // its id is the prefix, and begins the list
  const ids = [...(isNamed ? [prefix] : []), ...rows.map(({ id }) => id).filter((id) => id.startsWith(prefix))]
  const data = ids.flatMap((id) => {
    const latest = readNewestRevision(context.sql, id)
    return latest ? [view(context, latest, latest.state === 'live' ? latest : readLiveRevision(context.sql, id))] : []
  })
  if (data.length > limit) return { data: data.slice(0, limit), next_cursor: data[limit - 1]?.document ?? null }
  return { data, next_cursor: next?.startsWith(prefix) ? next : null }
}

function view(context: CorpusContext, latest: Revision, live: Revision | undefined): Document {
  const shown = live ?? latest
  const bytes = shownFileSize(context, shown)
  return {
    document: shown.document,
    title: shown.title,
    url: shown.url,
    metadata: JSON.parse(shown.metadata) as { [key: string]: Json },
    access: labelsIn(shown.access),
    active: shown.active === 1,
    language: shownLanguage(shown.language),
    ...(shown.dates === '{}' ? {} : { dates: JSON.parse(shown.dates) as Dates }),
    ...(shown.source ? { corrected: true as const } : {}),
    ...(shown.accepted_at ? { updated_at: new Date(shown.accepted_at).toISOString() } : {}),
    status: statusOf(context, latest),
    content_version: latest.content_version,
    indexed_version: live?.indexed_version ?? 0,
    chunks: (JSON.parse(shown.placed) as Placed[]).length,
    ...(bytes > 0 ? { file: { media_type: FILE_TYPE, bytes } } : {}),
    ...(latest.error ? { error: latest.error } : {}),
  }
}

/** queued until its job has begun; indexing until the job has no open task for it; partial if a model could not read some of it. */
function statusOf(context: CorpusContext, latest: Revision): DocumentStatus {
  if (latest.state === 'failed') return 'failed'
  const job = readJobState(context.sql, latest.job)
  if (latest.state === 'staged') return job?.status === 'queued' ? 'queued' : 'indexing'
  if (job && (job.phase === 'staging' || job.phase === 'settling')) return 'indexing'
  return latest.error ? 'partial' : 'ready'
}
