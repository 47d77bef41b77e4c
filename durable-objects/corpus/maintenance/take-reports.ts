/**
 * What the object of a corpus in partitions does with their reports: it forgets what they have forgotten, sends their events to the corpus's
 * endpoints, and knows which alerts they raise, what they have spent and which summaries are at the top of their trees. A corpus has settled when all of its partitions have: they are asked.
 */
import { type Asker, reader } from '../../../src/core/access/labels'
import { isSameEmbedding } from '../../../src/core/settings'
import type { CorpusObject } from '../../../src/ports/object'
import type { Report } from '../../../src/ports/reports'
import { labelsIn } from '../access/readable'
import { takeSpent } from '../billing/usage-recorder'
import { forgetDocumentsInConversations } from '../conversations/kept'
import { forgetDocumentsInLog } from '../query-log/log'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { FORGOTTEN_FOR, noteForgotten } from '../tables/report'
import { deleteTopsOf, replaceTops } from '../tables/top'
import { announce } from '../webhooks/announce'

type Event = Extract<Report, { readonly kind: 'event' }>

/** Each once: a partition's reports are numbered. */
export function takeReports(context: CorpusContext, partition: string, reports: readonly Report[]): void {
  const { sql } = context
  context.atomically(() => {
    const taken = readMeta(sql, metaKeys.reportsTaken) ?? {}
    const fresh = reports.filter(({ n }) => n > (taken[partition] ?? 0))
    for (const report of fresh) {
      if (report.kind === 'forgotten') forget(context, report.documents)
      else if (report.kind === 'spent') takeSpent(context, partition, report)
      else if (report.kind === 'tops') takeTops(context, partition, report)
      else takeEvent(context, partition, report)
    }
    const last = fresh.at(-1)
    if (last) writeMeta(sql, metaKeys.reportsTaken, { ...taken, [partition]: last.n })
  })
}

function forget({ sql, now }: CorpusContext, documents: readonly string[]): void {
  noteForgotten(sql, documents, now(), now() - FORGOTTEN_FOR)
  forgetDocumentsInLog(sql, documents)
  forgetDocumentsInConversations(sql, documents)
}

/** Of partitions that the corpus does not have, nothing is above. */
export function forgetTops({ sql }: Pick<CorpusContext, 'sql'>, partitions: readonly string[]): void {
  deleteTopsOf(sql, partitions)
  writeMeta(sql, metaKeys.topReports, (readMeta(sql, metaKeys.topReports) ?? 0) + 1)
}

/** Of a partition that still has the embedding model that the corpus has left, nothing is above: it reports all of them again when it has the other. */
function takeTops(
  { sql, config }: CorpusContext,
  partition: string,
  { ids, changed, of }: Extract<Report, { readonly kind: 'tops' }>,
): void {
  if (of && !isSameEmbedding(of, config.settings)) return
  replaceTops(sql, partition, ids, changed)
  writeMeta(sql, metaKeys.topReports, (readMeta(sql, metaKeys.topReports) ?? 0) + 1)
}

function takeEvent(context: CorpusContext, partition: string, { at, type, data, accesses }: Event): void {
  const { sql, config } = context
  if (type === 'alert.raised' || type === 'alert.cleared') noteAlert(context, partition, String(data.condition), type === 'alert.raised')
  else if (type === 'corpus.settled')
    writeMeta(sql, metaKeys.settling, { job: typeof data.job === 'string' ? data.job : null, mark: crypto.randomUUID() })
  else announce(sql, at, [{ type, data }], (asker) => asker === 'all' || reads(asker, config.defaultAccess, accesses))
}

/** They are announced with the corpus's own, once however many partitions raise them (alerts.ts). */
function noteAlert({ sql }: CorpusContext, partition: string, condition: string, isRaised: boolean): void {
  const others = (readMeta(sql, metaKeys.partitionAlerts) ?? []).filter(([uid, what]) => uid !== partition || what !== condition)
  writeMeta(sql, metaKeys.partitionAlerts, isRaised ? [...others, [partition, condition]] : others)
}

function reads(asker: Asker, inherited: readonly string[] | undefined, accesses: readonly string[] | undefined): boolean {
  const may = reader(asker, inherited)
  return accesses === undefined || (accesses.length > 0 && accesses.every((access) => may(labelsIn(access))))
}

/** The mark of the latest report that a partition has settled; undefined: none has come since that was last looked into. */
export function settlingMark({ sql }: Pick<CorpusContext, 'sql'>): string | undefined {
  return readMeta(sql, metaKeys.settling)?.mark
}

/** Asks the whole corpus whether all of it has settled. A partition that still works will report in its turn. */
export async function settle(context: CorpusContext, corpus: ((uid: string) => Pick<CorpusObject, 'view'>) | undefined): Promise<void> {
  const { sql, config, now, atomically } = context
  const mark = settlingMark(context)
  if (mark === undefined) return
  const view = await corpus?.(config.uid).view('all')
  atomically(() => {
    const settling = readMeta(sql, metaKeys.settling)
    if (settling?.mark !== mark) return // a later report is looked into by itself
    deleteMeta(sql, metaKeys.settling)
    if (view?.status !== 'settled' || view.version <= (readMeta(sql, metaKeys.settledVersion) ?? -1)) return
    writeMeta(sql, metaKeys.settledVersion, view.version)
    announce(sql, now(), [{ type: 'corpus.settled', data: { job: settling.job, version: view.version } }])
  })
}
