/** What partitions tell the object of their corpus, and ask it. */
import type { ReportsObject } from '../../../src/ports/reports'
import { remainingBudget } from '../billing/usage'
import { reserveHolds } from '../billing/usage-recorder'
import type { CorpusHost } from '../host'
import { takeReports } from '../maintenance/take-reports'

export function reportsCalls(host: CorpusHost): ReportsObject {
  return {
    /** Of a deleted corpus nothing is kept that could forget. */
    async takeReports(partition, reports) {
      const context = host.served()
      if (context) takeReports(context, partition, reports)
      await host.changed()
    },

    async reserveFor(holds) {
      const context = host.ready()
      return { granted: reserveHolds(context, holds), left: remainingBudget(context) }
    },
  }
}
