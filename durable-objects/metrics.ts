/** The object that sums what isolates count for Prometheus (metrics/totals.ts): one for the deployment, and none if METRICS is off. Only wiring. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env'
import type { MetricsObject, Samples } from '../src/ports/metrics'
import { migrateTotals, type Totals, totals } from './metrics/totals'
import { counted } from './sql'

export class Metrics extends DurableObject<Env> implements MetricsObject {
  #totals: Totals | undefined

  async add(samples: Samples): Promise<void> {
    const all = this.#open()
    this.ctx.storage.transactionSync(() => all.add(samples))
  }

  async read() {
    return this.#open().read()
  }

  #open(): Totals {
    if (!this.#totals) {
      const sql = counted(this.ctx.storage.sql)
      migrateTotals(sql, Date.now())
      this.#totals = totals(sql)
    }
    return this.#totals
  }
}
