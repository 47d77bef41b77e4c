/** What partitions tell the object of their corpus. */
import type { ReportsObject } from '../../../src/ports/reports'
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
  }
}
