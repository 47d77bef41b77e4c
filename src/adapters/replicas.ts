/**
 * Questions to a corpus with replicas: one of them answers each, as ReplicaLoad chooses. Whatever it cannot answer, the corpus's own object
 * does. Each isolate keeps its own knowledge of replicas.
 */
import type { ReplicaSettings } from '../core/settings'
import type { CorpusObject } from '../ports/object'
import type { ReplicaName, ReplicaObject } from '../ports/replication'
import type { RetrieveRequest, RetrieveResult } from '../ports/retrieval'
import { PATIENCE, replicaLoad, WRITER } from './replica-load'

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
  const load = replicaLoad({ now, lot })

  async function ask(name: ReplicaName, hint: string | undefined, request: RetrieveRequest): Promise<RetrieveResult | undefined> {
    const asked = load.begin(name.uid, name.number)
    const answer = await Promise.race([
      replica(name, hint)
        .retrieve(name, request)
        .catch(() => undefined),
      after(PATIENCE),
    ])
    if (!answer || answer.kind === 'unready') {
      asked.failed(answer?.kind === 'unready')
      return undefined
    }
    asked.answered()
    return answer.kind === 'evidence' || answer.kind === 'wanted' || answer.kind === 'filter_unknown' ? answer : undefined
  }

  return {
    before(corpus, uid, settings) {
      const { locations = [] } = settings
      let chosen: number | undefined
      const byWriter = async (request: RetrieveRequest): Promise<RetrieveResult> => {
        chosen = WRITER
        const asked = load.begin(uid, WRITER)
        const result = await corpus.retrieve(request)
        asked.answered() // after a failure it counts as busy for a while
        return result.kind === 'evidence' ? { ...result, served: { by: 'writer', staleness: { versions: 0, ms: 0 } } } : result
      }
      return {
        ...corpus,
        async retrieve(request) {
          chosen ??= request.hold ? WRITER : load.choose(uid, settings) // reservations are made in one place
          if (chosen === WRITER) return byWriter(request)
          return (await ask({ uid, number: chosen }, locations[chosen - 1], request)) ?? byWriter(request)
        },
      }
    },
  }
}
