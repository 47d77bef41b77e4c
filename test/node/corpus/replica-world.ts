/** A corpus, its log and a replica, each of which fails when it is told to: for schedules that compare what the replica answers by with what the corpus was. */

import type { ReplicaParts } from '../../../durable-objects/corpus/replication/replica'
import { copy, follow, release, resumeRecording } from '../../../durable-objects/corpus/replication/writer'
import { migrate } from '../../../durable-objects/corpus/schema'
import type { Store } from '../../../durable-objects/corpus/store'
import type { ReplicatedObject, ReplicationLog } from '../../../src/ports/replication'
import { type Mortal, mortalWorld, type World } from './mortal-object'

/** What the next call of the log meets. */
export type Mishap = 'none' | 'before' | 'after' | 'half' | 'missing' | 'altered'

export interface LogWorld extends ReplicationLog {
  readonly objects: Map<string, Uint8Array>
  mishap: Mishap
  /** Writes that were given up arrive, but for those that are older than any is. */
  late(): void
}

const OLDEST = 900_000 // ms

export function logWorld(clock = { now: 0 }): LogWorld {
  const objects = new Map<string, Uint8Array>()
  let delayed: { readonly at: number; readonly arrive: () => void }[] = []
  const put = (key: string, bytes: Uint8Array): boolean => {
    if (objects.has(key)) return false
    objects.set(key, bytes)
    return true
  }
  const log: LogWorld = {
    objects,
    mishap: 'none',
    late() {
      for (const { at, arrive } of delayed) if (clock.now - at < OLDEST) arrive()
      delayed = []
    },
    async put(key, bytes) {
      const { mishap } = log
      log.mishap = 'none'
      if (mishap === 'before') delayed.push({ at: clock.now, arrive: () => put(key, bytes) })
      if (mishap === 'half') put(key, bytes.slice(0, bytes.length / 2))
      if (mishap === 'after') put(key, bytes)
      if (mishap !== 'none') throw new Error('log: lost')
      return put(key, bytes)
    },
    async get(key) {
      const { mishap } = log
      log.mishap = 'none'
      const bytes = objects.get(key)
      if (mishap !== 'none' && mishap !== 'altered') return null
      return bytes ? (mishap === 'altered' ? bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)) : bytes) : null
    },
    list: async (prefix) => [...objects.keys()].filter((key) => key.startsWith(prefix)),
    async remove(keys) {
      if (log.mishap !== 'none') throw new Error('log: lost')
      for (const key of keys) objects.delete(key)
    },
  }
  return log
}

/** As the object's RPC; `lost`: the writer has heard it, and nobody its answer. */
export function writerOf(mortal: () => Mortal, trouble: { lost: boolean }): ReplicatedObject {
  const answered = <T>(answer: T): T => {
    const { lost } = trouble
    trouble.lost = false
    if (lost) throw new Error('rpc: lost')
    return structuredClone(answer)
  }
  return {
    follow: async (report) => answered(follow(mortal().context, report)),
    copy: async (epoch, place) => answered(copy(mortal().context, epoch, place)),
    leave: async (replica) => answered(release(mortal().context, replica)),
    promote: async () => undefined,
  }
}

/** An object that wakes goes on writing down what changes. */
export function wake(world: World): Mortal {
  const mortal = world.wake()
  resumeRecording(mortal.context)
  return mortal
}

export interface ReplicaWorld {
  readonly parts: ReplicaParts
  /** Begins anew on the same file. */
  restart(): void
  doom(write: number): void
  close(): void
}

export function replicaWorld(name: string, clock: { now: number }, writer: ReplicatedObject, log: ReplicationLog): ReplicaWorld {
  const world = mortalWorld([], {}, { clock, uid: 'mortal' })
  let mortal = world.wake()
  return {
    get parts() {
      const store: Store = mortal.context
      return { name, store, writer, log, wipe: async () => wipe(store) }
    },
    restart: () => {
      mortal = world.wake()
    },
    doom: (write) => mortal.doom({ write }),
    close: () => world.close(),
  }
}

/** As the platform's `deleteAll`, and what the object does after it. */
function wipe({ atomically, ...store }: Store): void {
  atomically(() => clear(store))
}

function clear({ sql, graph, unindexed }: Omit<Store, 'atomically'>): void {
  const tables = sql.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'words_%'`,
  )
  for (const { name } of tables) sql.run(`DROP TABLE IF EXISTS ${name}`)
  migrate(sql)
  graph.migrate()
  graph.forget()
  unindexed.forget(Number.MAX_SAFE_INTEGER)
}
