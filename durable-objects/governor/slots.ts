/**
 * Call slots of the account's models, lent to corpora in turn. A free slot goes to the corpus that holds fewest, then to the one that
 * has waited longest for its turn: however much one corpus has to do, another's first call gets the next slot. Loans are rows, so that
 * an object that dies remembers them; who waits is memory, and asks again. A loan that is not returned ends by itself.
 */
import type { Sql } from '../sql'

export interface SlotRules {
  /** Slots of a model. */
  capacity(model: string): number
  /** Milliseconds a slot may be kept. */
  readonly kept: number
  now(): number
  newId(): string
}

export interface Slots {
  /** Takes a place in the queue; `granted` is called with the slot's id, now or later. Returns how to leave the queue. */
  ask(model: string, party: string, granted: (id: string) => void): () => void
  /** Gives a slot back. Of one that has ended already, nothing. */
  release(id: string): void
  /** Ends what was kept too long and lends what is free. Returns when to look again: the next end (ms), while somebody waits. */
  turn(): number | undefined
}

interface Ticket {
  readonly model: string
  readonly party: string
  readonly place: number
  readonly granted: (id: string) => void
}

export function migrateSlots(sql: Sql): void {
  sql.run(
    'CREATE TABLE IF NOT EXISTS loan (id TEXT PRIMARY KEY, model TEXT NOT NULL, party TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
  )
}

export function createSlots(sql: Sql, rules: SlotRules): Slots {
  let tickets: Ticket[] = []
  let places = 0
  const turns = new Map<string, number>() // by model and party: when it was served last
  const heldBy = (model: string): Map<string, number> => {
    const rows = sql.all<{ party: string; n: number }>('SELECT party, count(*) AS n FROM loan WHERE model = ? GROUP BY party', model)
    return new Map(rows.map((row) => [row.party, row.n]))
  }
  const lend = (model: string): void => {
    for (;;) {
      const waiting = tickets.filter((one) => one.model === model)
      if (waiting.length === 0) return
      const held = heldBy(model)
      const used = [...held.values()].reduce((sum, n) => sum + n, 0)
      if (used >= rules.capacity(model)) return
      const next = first(waiting, (one) => [held.get(one.party) ?? 0, turns.get(`${model} ${one.party}`) ?? 0, one.place])
      tickets = tickets.filter((one) => one !== next)
      turns.set(`${model} ${next.party}`, ++places)
      const id = rules.newId()
      sql.run('INSERT INTO loan (id, model, party, until) VALUES (?, ?, ?, ?)', id, model, next.party, rules.now() + rules.kept)
      next.granted(id)
    }
  }
  const turn = (): number | undefined => {
    sql.run('DELETE FROM loan WHERE until <= ?', rules.now())
    for (const model of new Set(tickets.map((one) => one.model))) lend(model)
    if (tickets.length === 0) {
      turns.clear() // nobody waits: everybody begins anew
      return undefined
    }
    return sql.one<{ until: number | null }>('SELECT min(until) AS until FROM loan')?.until ?? undefined
  }
  return {
    turn,
    ask(model, party, granted) {
      const ticket: Ticket = { model, party, place: ++places, granted }
      tickets.push(ticket)
      turn()
      return () => {
        tickets = tickets.filter((one) => one !== ticket)
      }
    },
    release(id) {
      sql.run('DELETE FROM loan WHERE id = ?', id)
      turn()
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
