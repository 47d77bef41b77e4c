/**
 * A worked example of the settings (core/guidance.ts) is a passage of a document, and goes with it: in the transaction in which the document leaves, or gives
 * way to a version without the passage. One that names no document is its owner's own words, unless the document that leaves has them, white space aside:
 * then they were copied from it. The catalogue, which has the settings too, is told afterwards (maintenance/drain-with-move.ts).
 */
import type { WorkedExample } from '../../../src/core/guidance'
import type { CorpusConfig } from '../../../src/ports/corpus'
import { addAuditEntries } from '../audit/log'
import type { Job } from '../jobs/job'
import { type CorpusContext, contextOf, type Store } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { readLiveNumber, readLiveRevisionWithoutText, readNewestAccess, readRevisionText } from '../tables/revision'
import { isWithdrawn } from '../tables/withdrawn'
import type { Arrivals } from './parts'

const BY_ITSELF = { key: 'nobody', door: 'cron' } as const
const CONFIGS = [metaKeys.config, metaKeys.pendingConfig] as const

/** Of corpora whose settings were changed here; what memory holds of them is older (`withSettingsLeft`). */
const changed = new WeakSet<object>()

/** What a document loses by one job: a version with a passage, of which the next one may say it, too. */
interface Loss {
  readonly document: string
  readonly job: Job
  /** Number of the version that was served; undefined: none was. */
  readonly was: number | undefined
  /** Of the one that takes its place. */
  readonly becomes?: number
}

/** Before the versions that leave are gone. */
export function forgetExamples(
  context: CorpusContext,
  jobs: readonly Job[],
  { upserts, deletes }: Pick<Arrivals, 'upserts' | 'deletes'>,
): void {
  const { sql } = context
  if (!CONFIGS.some((key) => examplesIn(readMeta(sql, key)).length > 0)) return
  const live = new Map(deletes.map(({ document, n }) => [document, n]))
  const losses = [
    ...jobs.flatMap((job) => job.deletes.map((document): Loss => ({ document, job, was: live.get(document) }))),
    ...jobs.flatMap((job) => upserts.filter((one) => one.job === job.n).flatMap(({ document, n }) => replaced(context, job, document, n))),
  ]
  removeExamples(context, (example) => losses.find((loss) => isLost(context, example, loss)))
}

function replaced({ sql }: Pick<CorpusContext, 'sql'>, job: Job, document: string, becomes: number): Loss[] {
  const old = readLiveRevisionWithoutText(sql, document)
  return old ? [{ document, job, was: old.n, becomes }] : []
}

function isLost(
  { sql }: Pick<CorpusContext, 'sql'>,
  { text, document }: WorkedExample,
  { document: leaving, was, becomes }: Loss,
): boolean {
  const isKnown = document !== undefined && readLiveNumber(sql, document) !== undefined
  const isOf = document === leaving && (was !== undefined || readNewestAccess(sql, leaving) === undefined)
  if (!isOf && (isKnown || was === undefined || !says(sql, was, text))) return false
  return becomes === undefined || !says(sql, becomes, text)
}

/** White space aside. */
function says(sql: Store['sql'], n: number, passage: string): boolean {
  const words = passage.split(/\s+/u).filter((word) => word !== '')
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '')
  const text = readRevisionText(sql, n)
  return text.includes(longest) && text.replaceAll(/\s+/gu, ' ').includes(words.join(' '))
}

/** Where a document that an example names was deleted before the corpus knew that the example goes with it. */
export function forgetExamplesOfDeleted(context: CorpusContext): void {
  if (examplesIn(context.config).length > 0)
    removeExamples(context, (example) => (isOfDeleted(context, example) ? { document: example.document ?? '' } : undefined))
}

/** What is asked for, without the examples of documents that are deleted: who asks may have read the settings before. */
export function withoutDeleted(store: Pick<Store, 'sql'>, config: CorpusConfig): CorpusConfig {
  const kept = examplesIn(config).filter((example) => !isOfDeleted(store, example))
  return kept.length === examplesIn(config).length ? config : withExamples(config, kept)
}

function isOfDeleted({ sql }: Pick<Store, 'sql'>, { document }: WorkedExample): boolean {
  return document !== undefined && readNewestAccess(sql, document) === undefined && isWithdrawn(sql, 'deleted', document)
}

function removeExamples(
  context: CorpusContext,
  lossOf: (example: WorkedExample) => { readonly document: string; readonly job?: Job } | undefined,
): void {
  const { sql, graph } = context
  const removed = new Map<string, { readonly document: string; readonly job?: Job }>()
  for (const key of CONFIGS) {
    const config = readMeta(sql, key)
    if (!config) continue
    const kept = examplesIn(config).filter((example) => {
      const loss = lossOf(example)
      if (loss) removed.set(JSON.stringify(example), loss)
      return !loss
    })
    if (kept.length < examplesIn(config).length) writeMeta(sql, key, withExamples(config, kept))
  }
  if (removed.size === 0) return
  writeMeta(sql, metaKeys.areExamplesUnrecorded, true)
  changed.add(graph)
  for (const { document, job } of removed.values()) {
    if (job) job.tally.examples = (job.tally.examples ?? 0) + 1
    addAuditEntries(context, BY_ITSELF, [{ action: 'corpus.settings', document, outcome: 'example_removed' }])
  }
}

const examplesIn = (config: CorpusConfig | undefined): readonly WorkedExample[] => config?.settings.extraction.examples ?? []

function withExamples(config: CorpusConfig, examples: readonly WorkedExample[]): CorpusConfig {
  const { settings } = config
  return { ...config, settings: { ...settings, extraction: { ...settings.extraction, examples: examples.length > 0 ? examples : null } } }
}

/** The context, with the settings that are left. */
export function withSettingsLeft(context: CorpusContext): CorpusContext {
  return changed.delete(context.graph) ? Object.assign(context, contextOf(context)) : context
}
