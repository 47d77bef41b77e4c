/**
 * Call slots of the account's models, lent to corpora in turn, as long as the minute has calls left (rates.ts). A free slot goes to the
 * corpus that holds fewest, then to the one that has waited longest for its turn: however much one corpus has to do, another's first
 * call gets the next slot. Loans are rows, so that an object that dies remembers them; who waits is memory, and asks again. A loan that
 * is not returned ends by itself.
 */
import type { CallTrouble, ModelCall } from '../../src/ports/call-slots'
import type { Sql } from '../sql'
import type { Rates } from './rates'

export interface SlotRules {
  /** Slots of a model. */
  capacity(model: string): number
  /** Milliseconds a slot may be kept. */
  readonly kept: number
  readonly rates: Pick<Rates, 'opensAt' | 'begin' | 'noteRefusal' | 'noteSuccess'>
  now(): number
  newId(): string
}

export type Call = ModelCall & { readonly party: string }

export interface Slots {
  /** Takes a place in the queue; `granted` is called with the slot's id, now or later. Returns how to leave the queue. */
  request(call: Call, granted: (id: string) => void): () => void
  /** Gives a slot back, and says how the call went. Of one that has ended already, nothing. */
  release(id: string, trouble?: CallTrouble): void
  /** Ends what was kept too long and lends what is free. Returns when to look again (ms), while somebody waits. */
  lendFree(): number | undefined
}

interface Ticket extends Call {
  readonly place: number
  readonly granted: (id: string) => void
}

export function migrateSlots(sql: Sql): void {
  sql.run('DROP TABLE IF EXISTS loan') // of a shape without kinds; what it remembered has ended by itself
  sql.run(
    `CREATE TABLE IF NOT EXISTS lent (
       id TEXT PRIMARY KEY, model TEXT NOT NULL, kind TEXT NOT NULL, party TEXT NOT NULL, until INTEGER NOT NULL
     ) WITHOUT ROWID`,
  )
}

export function createSlots(sql: Sql, rules: SlotRules): Slots {
  let tickets: Ticket[] = []
  let places = 0
  const turns = new Map<string, number>() // by model and party: when it was served last
  const heldBy = (model: string): Map<string, number> => {
    const rows = sql.all<{ party: string; n: number }>('SELECT party, count(*) AS n FROM lent WHERE model = ? GROUP BY party', model)
    return new Map(rows.map((row) => [row.party, row.n]))
  }
  /** Returns when the minute has a call left again, where that is what is missing. */
  const lend = (model: string): number | undefined => {
    for (;;) {
      const waiting = tickets.filter((one) => one.model === model)
      if (!waiting[0]) return undefined
      const held = heldBy(model)
      const used = [...held.values()].reduce((sum, n) => sum + n, 0)
      if (used >= rules.capacity(model)) return undefined
      const opens = rules.rates.opensAt(waiting[0])
      if (opens > rules.now()) return opens
      const next = first(waiting, (one) => [held.get(one.party) ?? 0, turns.get(`${model} ${one.party}`) ?? 0, one.place])
      tickets = tickets.filter((one) => one !== next)
      turns.set(`${model} ${next.party}`, ++places)
      const id = rules.newId()
      const until = rules.now() + rules.kept
      sql.run('INSERT INTO lent (id, model, kind, party, until) VALUES (?, ?, ?, ?, ?)', id, model, next.kind, next.party, until)
      rules.rates.begin(next)
      next.granted(id)
    }
  }
  const lendFree = (): number | undefined => {
    sql.run('DELETE FROM lent WHERE until <= ?', rules.now())
    const opening = [...new Set(tickets.map((one) => one.model))].flatMap((model) => lend(model) ?? [])
    if (tickets.length === 0) {
      turns.clear() // no corpus waits: all turns begin again
      return undefined
    }
    const { until } = sql.one<{ until: number | null }>('SELECT min(until) AS until FROM lent') ?? { until: null }
    const next = Math.min(until ?? Number.POSITIVE_INFINITY, ...opening)
    return Number.isFinite(next) ? next : undefined
  }
  return {
    lendFree,
    request(call, granted) {
      const ticket: Ticket = { ...call, place: ++places, granted }
      tickets.push(ticket)
      lendFree()
      return () => {
        tickets = tickets.filter((one) => one !== ticket)
      }
    },
    release(id, trouble) {
      const call = sql.one<ModelCall>('DELETE FROM lent WHERE id = ? RETURNING model, kind', id)
      // Known before the slot is lent again.
      if (call && trouble) rules.rates.noteRefusal(call, trouble)
      else if (call) rules.rates.noteSuccess(call.model)
      lendFree()
    },
  }
}

/** The least by several keys, the first counting most. */
function first<T>(items: readonly T[], keys: (item: T) => readonly number[]): T {
  return items.reduce((best, one) => {
    const [a, b] = [keys(one), keys(best)]
    const at = a.findIndex((key, i) => key !== b[i])
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0) ? one : best
  })
}
