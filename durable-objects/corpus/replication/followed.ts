/** The corpus's object as its replicas see it: what is new goes into the log, they are notified, and their progress is recorded. One round at a time. */
import { backoff } from '../../../src/core/backoff'
import type { Replication } from '../../../src/ports/replication'
import type { CorpusContext } from '../store'
import { hasMeta, metaKeys, readMeta } from '../tables/meta'
import { numberOfReplica } from '../tables/replica'
import { followers, forgetReplicas, isReplicated, replicationDueAt } from './due'
import { endReplication, replicate } from './writer'

const ROUNDS = 20 // then the alarm continues
const RETRY = { first: 1000, max: 60_000 }

const EARLIER = 4 // replicas at most, of an earlier release

export class Followed {
  readonly #replication: Replication | null
  readonly #done: (context: CorpusContext) => void
  #round: Promise<void> | undefined
  #failures = 0
  #notBefore = 0

  /** `done`: after each round, which may have ended a wait. */
  constructor(replication: Replication | null, done: (context: CorpusContext) => void) {
    this.#replication = replication
    this.#done = done
  }

  /** Whether the replica of this name may follow now. */
  admits({ config }: CorpusContext, name: string): boolean {
    return this.#replication !== null && numberOfReplica(name) <= (config.settings.replicas?.count ?? 0)
  }

  dueAt(context: CorpusContext): number | null {
    const due = replicationDueAt(context)
    return due === null ? null : Math.max(due, this.#notBefore, this.#round ? context.now() + RETRY.max : 0)
  }

  /** Never rejects: what failed becomes due again later. */
  replicate(context: CorpusContext): Promise<void> {
    if (this.#round) return this.#round
    if (!isReplicated(context) || context.now() < this.#notBefore) return Promise.resolve()
    this.#round = this.#replicate(context).finally(() => {
      this.#round = undefined
      this.#done(context)
    })
    return this.#round
  }

  async #replicate(context: CorpusContext): Promise<void> {
    try {
      for (let rounds = 0; rounds < ROUNDS && (replicationDueAt(context) ?? Number.POSITIVE_INFINITY) <= context.now(); rounds++) {
        const hasSent = await replicate(context, this.#replication?.log ?? NO_LOG)
        if (hasSent) this.tell(context)
      }
      this.#failures = 0
      this.#notBefore = 0
    } catch (error) {
      this.#notBefore = context.now() + backoff(++this.#failures, RETRY)
      console.warn(
        JSON.stringify({ event: 'replication_failed', corpus: context.config.uid, error: error instanceof Error ? error.name : '' }),
      )
    }
  }

  /** Something is new; nobody waits for replicas that cannot be reached. */
  tell(context: CorpusContext): void {
    const { uid } = context.config
    for (const name of followers(context))
      this.#replication
        ?.replica({ uid, number: numberOfReplica(name) })
        .poke({ uid, number: numberOfReplica(name) })
        .catch(() => undefined)
  }

  /** For a corpus being deleted: nothing of it is left in a replica or in the log. False: not yet. */
  async end(context: CorpusContext): Promise<boolean> {
    await this.#round
    context.atomically(() => endReplication(context))
    if (this.#replication && hasMeta(context.sql, metaKeys.hadReplicas)) {
      const { uid } = context.config
      const most = readMeta(context.sql, metaKeys.mostReplicas) ?? EARLIER
      for (let number = 1; number <= most; number++) await this.#replication.replica({ uid, number }).forget({ uid, number })
      context.atomically(() => forgetReplicas(context))
      await replicate(context, this.#replication.log)
    }
    return !this.#replication || !isReplicated(context)
  }
}

/** If the bucket is no longer bound: nothing is sent, and leases end. */
const NO_LOG = {
  put: () => Promise.reject(new Error('replication: no log')),
  get: async () => null,
  list: async () => [],
  remove: async () => undefined,
}
