/** Tells the corpus's own object what its partition has to report, in order. What failed is sent again; that object takes each report once. */
import { corpusUidOf } from '../../../src/corpus-uid'
import type { ReportsObject } from '../../../src/ports/reports'
import type { CorpusContext } from '../store'
import { deleteReportsUpTo, listReports } from '../tables/report'

const AT_ONCE = 200 // reports in one call

export async function sendReports(
  { sql, config }: CorpusContext,
  whole: (uid: string) => Pick<ReportsObject, 'takeReports'>,
): Promise<void> {
  for (let reports = listReports(sql, AT_ONCE); reports.length > 0; reports = listReports(sql, AT_ONCE)) {
    await whole(corpusUidOf(config.uid)).takeReports(config.uid, reports)
    deleteReportsUpTo(sql, reports.at(-1)?.n ?? 0)
  }
}
