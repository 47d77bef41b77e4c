/** Which versions of documents a job adds and removes, and what the context records once they are in the graph. */
import type { Placed } from '../../../src/core/graph/types'
import { type Dates, datedSpan } from '../../../src/core/text/iso-date'
import { isLanguage } from '../../../src/core/text/languages'
import type { Sql } from '../../sql'
import { forgetFacets, recordFacets } from '../access/facets'
import type { Job } from '../jobs/job'
import type { JobUnitOfWork } from '../jobs/jobs'
import { unstage } from '../jobs/staging'
import type { CorpusContext } from '../store'
import { deleteDated, insertDated } from '../tables/dated'
import {
  deleteRevision,
  listLiveRevisionsUpTo,
  listStagedRevisions,
  type Revision,
  readLiveRevisionWithoutText,
  setRevisionLive,
} from '../tables/revision'
import { deleteSpoken, insertSpoken } from '../tables/spoken'
import { keepEarlier } from './earlier-statements'
import type { Arrivals } from './parts'

/** The same until they are applied: versions in progress are not superseded. */
export function arrivalsOf(context: CorpusContext, jobs: readonly Job[]): Arrivals {
  const upserts = jobs.flatMap((job) => stagedRevisions(context, job))
  const ids = new Set(upserts.map((one) => one.document))
  const replaced = upserts.flatMap(({ document }): [string, readonly Placed[]][] => {
    const live = readLiveRevisionWithoutText(context.sql, document)
    return live ? [[document, JSON.parse(live.placed) as Placed[]]] : []
  })
  return { upserts, deletes: deletedRevisions(context, jobs, ids), replaced: new Map(replaced) }
}

function stagedRevisions(context: CorpusContext, job: Job): Revision[] {
  return job.progress ? listStagedRevisions(context.sql, job.progress) : []
}

/** Live documents these jobs delete. A delete reaches no version accepted after it. */
function deletedRevisions(context: CorpusContext, jobs: readonly Job[], replaced: ReadonlySet<string>): Revision[] {
  const found = jobs.flatMap((job) => listLiveRevisionsUpTo(context.sql, job.upto, job.deletes))
  return [...new Map(found.filter((one) => !replaced.has(one.document)).map((one) => [one.n, one])).values()]
}

/** Everything that a job adds and removes is done. */
export function countDone(job: Job, { upserts }: Pick<Arrivals, 'upserts'>): void {
  const { documents, chunks } = job.tally.counted
  documents.done += upserts.filter((one) => one.job === job.n).length + job.deletes.length
  chunks.done = chunks.total
}

/** The context follows the graph: new versions are live; old and deleted ones are removed with their text. */
export function replaceRevisions(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  { upserts, deletes }: Pick<Arrivals, 'upserts' | 'deletes'>,
  version: number,
): void {
  const { sql } = context
  for (const revision of deletes) {
    deleteRevision(sql, revision.n)
    forgetFacets(sql, revision.document, revision.metadata)
    deleteDated(sql, revision.document)
    deleteSpoken(sql, revision.language, revision.document)
  }
  for (const revision of upserts) {
    const old = readLiveRevisionWithoutText(context.sql, revision.document)
    if (old) {
      const kept = keepEarlier(context, old, revision)
      const job = kept > 0 ? unitOfWork.find(revision.job) : undefined
      if (job) job.tally.earlier = (job.tally.earlier ?? 0) + kept
      forgetFacets(sql, old.document, old.metadata)
      deleteSpoken(sql, old.language, old.document)
      deleteRevision(sql, old.n)
    }
    setRevisionLive(sql, revision.n, version)
    recordFacets(sql, revision.document, revision.metadata)
    recordDates(sql, revision)
    if (isLanguage(revision.language)) insertSpoken(sql, revision.language, revision.document)
  }
  unstage(context, unitOfWork, upserts)
}

function recordDates(sql: Sql, { document, dates }: Pick<Revision, 'document' | 'dates'>): void {
  if (dates === '{}') {
    deleteDated(sql, document)
    return
  }
  const { published = null, from = null, until = null } = datedSpan(JSON.parse(dates) as Dates)
  insertDated(sql, { document, published, valid_from: from, valid_until: until, dates })
}
