/**
 * Call slots of the account's models, lent to corpora in turn, as long as the minute has calls left (rates.ts). A free slot goes to the
 * corpus that holds fewest, then to the one that has been served least, as in start-time fair queueing (Goyal, Vin, Cheng 1996): each
 * corpus counts its calls, and one that was away begins `HEAD_START` calls behind the one served now. So however many corpora have much to
 * do, the few calls for a single document are made one after another without a round of all the others in between, and corpora with more
 * than one document's work take turns. Loans are rows, so that an object that dies remembers them; waiting calls are only in memory, and
 * ask again. A loan that is not returned expires.
 */
import type { CallTrouble, ModelCall } from '../../src/ports/call-slots'
import type { Sql } from '../sql'
import type { Rates } from './rates'

export interface SlotRules {
  /** Slots of a model. */
  capacity(model: string): number
  /** Milliseconds for which a slot may be kept. */
  readonly kept: number
  readonly rates: Pick<Rates, 'opensAt' | 'begin' | 'noteRefusal' | 'noteSuccess'>
  now(): number
  newId(): string
}

export type Call = ModelCall & { readonly party: string }

export interface Slots {
  /** Takes a place in the queue; `granted` is called with the slot's id, now or later. Returns how to leave the queue. */
  request(call: Call, granted: (id: string) => void): () => void
  /** Returns a slot, and says how the call went. For a loan that has already ended it does nothing. */
  release(id: string, trouble?: CallTrouble): void
  /** Ends loans kept too long and lends what is free. Returns when to check again (ms), while somebody waits. */
  lendFree(): number | undefined
}

/** How many calls a corpus that was away may make before those that were served throughout. */
const HEAD_START = 8 // a letter's calls, not a book's

interface Ticket extends Call {
  readonly granted: (id: string) => void
}

/** One model's queue: who waits, who holds how many, and how often each was served. */
interface Queue {
  /** By party, in order of arrival; none is empty. */
  readonly waiting: Map<string, Set<Ticket>>
  readonly held: Map<string, number>
  readonly served: Map<string, number>
  /** The count of the corpus that was served last. */
  level: number
}

export function migrateSlots(sql: Sql): void {
  sql.run('DROP TABLE IF EXISTS loan') // an older shape without kinds; its loans have expired
  sql.run(
    `CREATE TABLE IF NOT EXISTS lent (
       id TEXT PRIMARY KEY, model TEXT NOT NULL, kind TEXT NOT NULL, party TEXT NOT NULL, until INTEGER NOT NULL
     ) WITHOUT ROWID`,
  )
}

export function createSlots(sql: Sql, rules: SlotRules): Slots {
  const queues = new Map<string, Queue>()
  const queueOf = (model: string): Queue => {
    const known = queues.get(model) ?? { waiting: new Map(), held: new Map(), served: new Map(), level: 0 }
    queues.set(model, known)
    return known
  }
  const hold = (model: string, party: string, by: 1 | -1): void => {
    const { held } = queueOf(model)
    const now = (held.get(party) ?? 0) + by
    if (now > 0) held.set(party, now)
    else held.delete(party)
  }
  for (const { model, party } of sql.all<{ model: string; party: string }>('SELECT model, party FROM lent')) hold(model, party, 1)
  /** Returns when the minute has a call left again, if that is what is missing. */
  const lend = (model: string, queue: Queue): number | undefined => {
    for (;;) {
      const next = nextOf(queue)
      if (!next) return undefined
      const used = [...queue.held.values()].reduce((sum, n) => sum + n, 0)
      if (used >= rules.capacity(model)) return undefined
      const opens = rules.rates.opensAt(next)
      if (opens > rules.now()) return opens
      leave(queue, next)
      const before = standing(queue, next.party)
      queue.level = Math.max(queue.level, before)
      queue.served.set(next.party, before + 1)
      const id = rules.newId()
      const until = rules.now() + rules.kept
      sql.run('INSERT INTO lent (id, model, kind, party, until) VALUES (?, ?, ?, ?, ?)', id, model, next.kind, next.party, until)
      hold(model, next.party, 1)
      rules.rates.begin(next)
      next.granted(id)
    }
  }
  const lendFree = (): number | undefined => {
    for (const { model, party } of sql.all<{ model: string; party: string }>(
      'DELETE FROM lent WHERE until <= ? RETURNING model, party',
      rules.now(),
    ))
      hold(model, party, -1)
    const opening = [...queues].flatMap(([model, queue]) => lend(model, queue) ?? [])
    for (const [model, { waiting, held }] of queues) if (waiting.size === 0 && held.size === 0) queues.delete(model)
    if ([...queues.values()].every(({ waiting }) => waiting.size === 0)) {
      for (const queue of queues.values()) {
        queue.served.clear() // no corpus waits: all counts start again
        queue.level = 0
      }
      return undefined
    }
    const { until } = sql.one<{ until: number | null }>('SELECT min(until) AS until FROM lent') ?? { until: null }
    const next = Math.min(until ?? Number.POSITIVE_INFINITY, ...opening)
    return Number.isFinite(next) ? next : undefined
  }
  return {
    lendFree,
    request(call, granted) {
      const queue = queueOf(call.model)
      const ticket: Ticket = { ...call, granted }
      const own = queue.waiting.get(call.party)
      if (own) own.add(ticket)
      else queue.waiting.set(call.party, new Set([ticket]))
      lendFree()
      return () => leave(queue, ticket)
    },
    release(id, trouble) {
      const call = sql.one<ModelCall & { party: string }>('DELETE FROM lent WHERE id = ? RETURNING model, kind, party', id)
      if (call) hold(call.model, call.party, -1)
      // Known before the slot is lent again.
      if (call && trouble) rules.rates.noteRefusal(call, trouble)
      else if (call) rules.rates.noteSuccess(call.model)
      lendFree()
    },
  }
}

/** The count it starts from: its own, or one that leaves it the head start if it was away. */
function standing({ served, level }: Queue, party: string): number {
  return Math.max(served.get(party) ?? 0, level - HEAD_START)
}

/** The oldest call of the corpus whose turn it is. */
function nextOf(queue: Queue): Ticket | undefined {
  let best: { readonly tickets: Set<Ticket>; readonly held: number; readonly stands: number } | undefined
  for (const [party, tickets] of queue.waiting) {
    const held = queue.held.get(party) ?? 0
    if (best && held > best.held) continue
    const stands = standing(queue, party)
    if (!best || held < best.held || stands < best.stands) best = { tickets, held, stands }
  }
  return best?.tickets.values().next().value
}

function leave({ waiting }: Queue, ticket: Ticket): void {
  const tickets = waiting.get(ticket.party)
  tickets?.delete(ticket)
  if (tickets?.size === 0) waiting.delete(ticket.party)
}
