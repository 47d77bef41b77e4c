/**
 * Detects the languages of documents indexed before languages were recorded, in slices: a few are checked; those in a language with a stemmer are indexed
 * again unchanged, by a separate job that the next slice waits for, and for the others the language is recorded. A document whose language has been checked
 * is skipped, so that an interrupted or repeated job continues.
 */
import { stemmedLike } from '../../../src/core/text/languages'
import type { Accepted } from '../../../src/ports/jobs'
import { accept, newJobId } from '../ingest/accept'
import { languageOfInput, UNDETERMINED } from '../ingest/language'
import { storedInput } from '../ingest/stored-input'
import { isIntegrating } from '../jobs/integration-state'
import type { Job } from '../jobs/job'
import { openUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { publish } from '../jobs/publish'
import type { CorpusContext } from '../store'
import { readJobById } from '../tables/job'
import { incrementMeta, metaKeys } from '../tables/meta'
import { listAccessAfter, type Revision, readNewestRevision, setRevisionLanguage } from '../tables/revision'
import { insertSpoken } from '../tables/spoken'
import type { MaintenanceProgress } from './job-progress'

const DOCUMENTS = 64 // checked in one slice
const CHARS = 120_000 // of texts indexed again in one slice: divided in some 25 ms

/** Starts the job; one already in progress also checks documents that came after its start, and is returned. */
export function startTelling(context: CorpusContext, id = newJobId()): Accepted {
  return context.atomically(() => {
    const underWay = unfinishedJobs(context.sql).find((one) => one.kind === 'languages' && one.phase === 'staging')
    if (underWay) return { kind: 'accepted', job: underWay.id, documents: [] }
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const job = unitOfWork.create({ id, kind: 'languages', created: context.now(), upto: 0, deletes: [] })
    job.waiting = 1
    job.progress = JSON.stringify({ step: 'tell-languages', after: '', builders: [] } satisfies MaintenanceProgress)
    incrementMeta(context.sql, metaKeys.acceptedCount)
    unitOfWork.save()
    return { kind: 'accepted', job: job.id, documents: [] }
  })
}

/** Are the documents that a slice has submitted again still in progress? A large change that is applied in parts has its version, too. */
export function isTellingWaiting({ sql }: Pick<CorpusContext, 'sql'>, { child }: MaintenanceProgress): boolean {
  const phase = child === undefined ? undefined : readJobById(sql, child)?.phase
  return phase === 'staging' || phase === 'settling' || isIntegrating({ sql })
}

interface Told {
  readonly n: number
  readonly document: string
  readonly language: string
}

/** What a slice checks: `again` are those whose words are stemmed specially. */
function lookedAt(context: CorpusContext, place: string): { again: Revision[]; told: Told[]; looked: number; after: string } {
  const { sql, config } = context
  const found = { again: [] as Revision[], told: [] as Told[], looked: 0, after: place }
  let chars = 0
  for (const { id } of listAccessAfter(sql, place, DOCUMENTS)) {
    if (chars >= CHARS) break
    found.looked++
    found.after = id
    const revision = readNewestRevision(sql, id)
    if (revision?.state !== 'live' || revision.language !== '') continue // a newer version has a detected language
    const language = languageOfInput(config.settings, storedInput(sql, revision, null))
    if (stemmedLike(language)) {
      found.again.push(revision)
      chars += revision.text.length
    } else found.told.push({ n: revision.n, document: id, language: language ?? UNDETERMINED })
  }
  return found
}

/** A slice, inside its transaction; undefined when every document has been checked, or the rest cannot be submitted. */
export function tellLanguages(context: CorpusContext, job: Job, progress: MaintenanceProgress): MaintenanceProgress | undefined {
  const { documents } = job.tally.counted
  const { again, told, looked, after } = lookedAt(context, progress.after)
  documents.total = context.graph.count('document')
  documents.done = Math.min(documents.total, documents.done + looked)
  if (looked === 0) return undefined
  writeDown(context, job, told)
  const { child: _, ...rest } = progress
  if (again.length === 0) return { ...rest, after }
  const upserts = again.map((one) => storedInput(context.sql, one, null))
  const outcome = accept(context, { kind: 'batch', upserts, deletes: [] })
  if (outcome.kind === 'accepted') return { ...rest, after, child: outcome.job }
  if (outcome.kind !== 'over_budget' && outcome.kind !== 'full') return { ...rest, after }
  job.status = 'failed'
  job.error = outcome.kind === 'full' ? 'corpus_full' : outcome.kind
  return undefined
}

/** Only what filters find changes, from this version on. */
function writeDown(context: CorpusContext, job: Job, told: readonly Told[]): void {
  if (told.length === 0) return
  for (const { n, document, language } of told) {
    setRevisionLanguage(context.sql, n, language)
    if (language !== UNDETERMINED) insertSpoken(context.sql, language, document)
  }
  context.graph.apply([], context.graph.version + 1)
  publish(context, [job], [])
}
