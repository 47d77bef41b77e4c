/**
 * Questions to a corpus with replicas: of two chosen at random among those that answered when last asked, the one with less to do. Whatever
 * it cannot answer, the corpus's own object does. Each isolate keeps its own knowledge of replicas.
 */
import { backoff } from '../core/backoff'
import type { ReplicaSettings } from '../core/settings'
import type { CorpusObject } from '../ports/object'
import type { ReplicaName, ReplicaObject } from '../ports/replication'
import type { RetrieveRequest, RetrieveResult } from '../ports/retrieval'

const PATIENCE = 3000 // ms until the corpus is asked in place of a replica that is silent
const REST = { first: 500, max: 15_000 } // ms for which a replica that could not answer is left alone
const KEPT = 0.8 // weight of the earlier pace at each answer
const MAX = 1000 // replicas that an isolate remembers

interface Known {
  /** When each question was sent that is not answered yet. One that its caller has left is dropped here by age: none of it still runs. */
  readonly open: Set<{ readonly at: number }>
  /** The approximate ms of an answer. */
  pace: number
  failures: number
  restsUntil: number
}

export interface ReplicasParts {
  replica(name: ReplicaName, locationHint?: string): Pick<ReplicaObject, 'retrieve'>
  readonly now: () => number
  /** From 0 to 1. */
  readonly lot: () => number
  readonly after: (ms: number) => Promise<void>
}

export interface Replicas {
  /**
   * The same corpus, with questions answered by replicas where possible. One replica answers all of a question: a walk continues at the
   * version it began with.
   */
  before(corpus: CorpusObject, uid: string, settings: ReplicaSettings): CorpusObject
}

export function replicas({ replica, now, lot, after }: ReplicasParts): Replicas {
  const known = new Map<string, Known>()
  const stateOf = (key: string): Known => {
    const found = known.get(key)
    if (found) return found
    if (known.size >= MAX) known.clear()
    const made = { open: new Set<{ readonly at: number }>(), pace: 0, failures: 0, restsUntil: 0 }
    known.set(key, made)
    return made
  }

  /** Undefined: none is known to answer. */
  function choose(uid: string, count: number): number | undefined {
    const able = Array.from({ length: count }, (_, i) => i + 1).filter((number) => stateOf(`${uid}-${number}`).restsUntil <= now())
    const take = (): number | undefined => able.splice(Math.floor(lot() * able.length), 1)[0]
    const pair = [take(), take()].flatMap((number) => number ?? [])
    const load = (number: number): number => {
      const { open, pace } = stateOf(`${uid}-${number}`)
      for (const one of open) if (now() - one.at > PATIENCE) open.delete(one)
      return (open.size + 1) * (pace + 1)
    }
    return pair.sort((a, b) => load(a) - load(b))[0]
  }

  async function ask(name: ReplicaName, hint: string | undefined, request: RetrieveRequest): Promise<RetrieveResult | undefined> {
    const state = stateOf(`${name.uid}-${name.number}`)
    const begun = { at: now() }
    state.open.add(begun)
    const answer = await Promise.race([
      replica(name, hint)
        .retrieve(name, request)
        .catch(() => undefined),
      after(PATIENCE),
    ])
    state.open.delete(begun)
    if (!answer || answer.kind === 'unready') {
      state.restsUntil = now() + backoff(++state.failures, REST)
      return undefined
    }
    state.failures = 0
    state.pace = KEPT * state.pace + (1 - KEPT) * (now() - begun.at)
    return answer.kind === 'evidence' || answer.kind === 'wanted' || answer.kind === 'filter_unknown' ? answer : undefined
  }

  return {
    before(corpus, uid, { count, locations = [] }) {
      let chosen: number | undefined | null = null // not yet
      const byWriter = async (request: RetrieveRequest): Promise<RetrieveResult> => {
        chosen = undefined
        const result = await corpus.retrieve(request)
        return result.kind === 'evidence' ? { ...result, served: { by: 'writer', staleness: { versions: 0, ms: 0 } } } : result
      }
      return {
        ...corpus,
        async retrieve(request) {
          if (chosen === null) chosen = request.hold ? undefined : choose(uid, count) // reservations are made in one place
          if (chosen === undefined) return byWriter(request)
          return (await ask({ uid, number: chosen }, locations[chosen - 1], request)) ?? byWriter(request)
        },
      }
    },
  }
}
