/**
 * Which of a corpus's replicas an isolate asks: of two drawn at random the one with less to do (the power of two choices, Mitzenmacher 2001), among as
 * many as there is work for. An isolate sees only its own questions; what others ask shows in how long answers take.
 */
import { backoff } from '../core/backoff'
import type { ReplicaSettings } from '../core/settings'

export const PATIENCE = 3000 // ms until the corpus is asked in place of a replica that is silent
const REST = { first: 500, max: 15_000 } // ms for which a replica that could not answer is left alone
const KEPT = 0.8 // weight of the earlier pace at each answer
const MAX = 1000 // replicas, and corpora, that an isolate remembers

const BUSY = 2 // questions open with the less busy of two: another replica is used, too
const SLOWER = 2 // times as slow as the fastest fifth of its answers: others keep it busy
const SLOW = 20 // ms more than that, at least
const TRACK = { slower: 1.005, faster: 0.98 } // steps for an answer above and below: they balance at the fastest fifth
const STALE = 15_000 // ms without an answer after which it is believed to be as fast as ever: who is not asked could not show it
const OFTEN = 0.3 // share of the last questions that met only busy ones: not by chance, there is too much to do
const RECENT = 0.1 // weight of a question in that share
const GROWTH = 2000 // ms from one replica more to the next
const CALM = 60_000 // ms without a busy one until there is one fewer
const STARTING = 120_000 // ms for which one that does not answer yet counts as copying the corpus

/** The corpus's own object. */
export const WRITER = 0

interface Known {
  /** When each question was sent that is not answered yet. One that its caller has left is dropped here by age: none of it still runs. */
  readonly open: Set<{ readonly at: number }>
  /** The approximate ms of an answer now, and of the fastest fifth over some hundreds. */
  pace: number
  fast: number
  answeredAt: number
  failures: number
  /** Since when it has said that it has no complete version yet; 0: it has one. */
  unreadySince: number
  restsUntil: number
}

interface Used {
  number: number
  /** Share of the last questions, about ten, that met only busy ones. */
  busy: number
  changedAt: number
  busyAt: number
}

export interface Asked {
  answered(): void
  /** It is left alone for a while. `isUnready`: it said that it has no complete version; otherwise it was silent or failed. */
  failed(isUnready: boolean): void
}

export interface ReplicaLoad {
  /** From 1 on; `WRITER`: none is known to answer, or all that do are busy, more than the corpus itself. */
  choose(uid: string, settings: ReplicaSettings): number
  begin(uid: string, number: number): Asked
}

/** How many take part with little to do: where replicas have places, each place has its own. */
const leastOf = ({ count, least, locations = [] }: ReplicaSettings): number => Math.min(count, least ?? Math.max(1, locations.length))

export function replicaLoad({ now, lot }: { readonly now: () => number; readonly lot: () => number }): ReplicaLoad {
  const known = new Map<string, Known>()
  const used = new Map<string, Used>()
  const remembered = <T>(all: Map<string, T>, key: string, fresh: () => T): T => {
    const found = all.get(key)
    if (found) return found
    if (all.size >= MAX) all.clear()
    const made = fresh()
    all.set(key, made)
    return made
  }
  const stateOf = (uid: string, number: number): Known =>
    remembered(known, `${uid}-${number}`, () => ({
      open: new Set(),
      pace: 0,
      fast: 0,
      answeredAt: 0,
      failures: 0,
      unreadySince: 0,
      restsUntil: 0,
    }))

  function openOf({ open }: Known): number {
    for (const one of open) if (now() - one.at > PATIENCE) open.delete(one)
    return open.size
  }
  const paceOf = ({ pace, fast, answeredAt }: Known): number => (now() - answeredAt > STALE ? fast : pace)
  const work = (state: Known): number => (openOf(state) + 1) * (paceOf(state) + 1)
  const isBusy = (state: Known): boolean => openOf(state) >= BUSY || paceOf(state) > SLOWER * state.fast + SLOW
  const isStarting = ({ unreadySince }: Known): boolean => unreadySince > 0 && now() - unreadySince < STARTING

  function usedOf(uid: string, settings: ReplicaSettings): Used {
    const all = remembered(used, uid, () => ({ number: leastOf(settings), busy: 0, changedAt: now(), busyAt: now() }))
    if (now() - all.busyAt > CALM) Object.assign(all, { number: all.number - 1, busyAt: now() })
    all.number = Math.min(settings.count, Math.max(leastOf(settings), all.number))
    return all
  }

  function grow(all: Used, count: number, starting: number): void {
    all.busyAt = now()
    const isDue = now() - all.changedAt > GROWTH && 2 * starting < all.number // at most as many are new as are not
    if (isDue && all.number < count) Object.assign(all, { number: all.number + 1, changedAt: now() })
  }

  return {
    choose(uid, settings) {
      const all = usedOf(uid, settings)
      const states = Array.from({ length: all.number }, (_, i) => ({ number: i + 1, state: stateOf(uid, i + 1) }))
      const able = states.filter(({ state }) => state.restsUntil <= now())
      const take = () => able.splice(Math.floor(lot() * able.length), 1)[0]
      const [chosen] = [take(), take()].flatMap((one) => one ?? []).sort((a, b) => work(a.state) - work(b.state))
      const starting = states.filter(({ state }) => isStarting(state)).length
      if (!chosen && starting === states.length) return WRITER
      const isFree = chosen !== undefined && !isBusy(chosen.state)
      all.busy += RECENT * ((isFree ? 0 : 1) - all.busy)
      if (all.busy > OFTEN) grow(all, settings.count, starting)
      if (isFree) return chosen.number
      return chosen && work(chosen.state) <= work(stateOf(uid, WRITER)) ? chosen.number : WRITER
    },
    begin(uid, number) {
      const state = stateOf(uid, number)
      const begun = { at: now() }
      state.open.add(begun)
      return {
        answered() {
          state.open.delete(begun)
          const ms = now() - begun.at
          state.failures = 0
          state.unreadySince = 0
          state.pace = KEPT * paceOf(state) + (1 - KEPT) * ms
          state.fast = state.fast === 0 ? ms : state.fast * (ms > state.fast ? TRACK.slower : TRACK.faster)
          state.answeredAt = now()
        },
        failed(isUnready) {
          state.open.delete(begun)
          if (isUnready && state.unreadySince === 0) state.unreadySince = now()
          state.restsUntil = now() + backoff(++state.failures, REST)
        },
      }
    },
  }
}
