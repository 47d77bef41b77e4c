/**
 * The object that counts what one key uses in a day (key-usage/day.ts); keys without limits have none. Wiring: RPC, transactions, and the
 * alarm that empties it once the day is over, so that an unused key leaves nothing behind.
 */

import { DurableObject } from 'cloudflare:workers'
import type { DailyLimits } from '../src/contract/keys'
import type { Env } from '../src/env'
import type { Admission, KeyDay, KeySpent, KeyUsageObject, UsedUp } from '../src/ports/key-usage'
import { type Day, keyDay, migrateDay } from './key-usage/day'
import { counted } from './sql'

export class KeyUsage extends DurableObject<Env> implements KeyUsageObject {
  #day: Day | undefined

  async admit(what: 'request' | 'question', limits: DailyLimits): Promise<Admission> {
    return this.#within((day) => day.admit(what, limits))
  }

  async reserve(id: string, most: KeySpent, limits: DailyLimits): Promise<'granted' | 'refused' | UsedUp> {
    return this.#within((day) => day.reserve(id, most, limits))
  }

  async settle(id: string, spent: KeySpent): Promise<void> {
    return this.#within((day) => day.settle(id, spent))
  }

  async today(): Promise<KeyDay> {
    return this.#within((day) => day.today())
  }

  override async alarm(): Promise<void> {
    this.#day = undefined
    await this.ctx.storage.deleteAll()
  }

  async #within<T>(work: (day: Day) => T): Promise<T> {
    if (!this.#day) {
      const sql = counted(this.ctx.storage.sql)
      migrateDay(sql)
      this.#day = keyDay(sql, () => Date.now())
    }
    const day = this.#day
    const result = this.ctx.storage.transactionSync(() => work(day))
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(day.today().ends)
    return result
  }
}
