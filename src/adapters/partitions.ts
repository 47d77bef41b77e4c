/**
 * Corpora in partitions, for code that only knows corpora: the index has a namespace for each partition, and the catalogue one row for all
 * of them.
 */
import { atOnce } from '../core/at-once'
import { corpusUidOf, everyPartitionUid, partitionUids } from '../corpus-uid'
import { workerLimits } from '../platform-limits'
import type { CorpusRef } from '../ports/corpus'
import type { Deletions } from '../ports/deletion'
import type { CorpusObject } from '../ports/object'
import type { VectorIndex } from '../ports/vector-index'

/** The nearest from all partitions. */
export function indexOfPartitions(index: VectorIndex): VectorIndex {
  return {
    ...index,
    async query(corpus, vector, { kind, k }) {
      const uids = partitionUids(corpus)
      if (uids.length === 0) return index.query(corpus, vector, { kind, k })
      const slot = atOnce(workerLimits.safeConnections)
      const found = await Promise.all(uids.map((uid) => slot(() => index.query(uid, vector, { kind, k }))))
      return found
        .flat()
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, k)
    },
  }
}

/** A partition's view of its corpus's deletion, which ends when nothing is left of any partition. */
export function deletionsOfPartitions(deletions: Deletions, objectOf: (uid: string) => Pick<CorpusObject, 'reconcile'>): Deletions {
  const isPartition = (uid: string): boolean => corpusUidOf(uid) !== uid
  return {
    ...deletions,
    state: (uid, now) => deletions.state(corpusUidOf(uid), now),
    confirm: async (uid, state) => (isPartition(uid) ? undefined : deletions.confirm(uid, state)),
    async finish(uid) {
      if (isPartition(uid)) return
      const left = await Promise.all(everyPartitionUid(uid).map((part) => objectOf(part).reconcile({ uid: part } satisfies CorpusRef)))
      if (left.every((one) => one === 'empty')) await deletions.finish(uid)
    },
  }
}
