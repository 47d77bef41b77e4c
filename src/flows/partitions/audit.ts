/**
 * Who did what to a partitioned corpus: its own log and those of its partitions, by time. Each is asked for its entries after the last one
 * returned.
 */
import type { AuditEntry, AuditMark, AuditPlace } from '../../ports/audit'
import type { Divided } from './part'

const WHOLE = -1 // the corpus's own log

export async function audit({ whole, parts }: Divided, { before, ...place }: AuditPlace): Promise<AuditEntry[]> {
  const logs = [whole, ...parts]
  const found = await Promise.all(
    logs.map(async (object, at) => {
      const partition = at + WHOLE
      const entries = await object.audit({ ...place, before: before && behind(before, partition) })
      return entries.map((entry) => ({ ...entry, partition }))
    }),
  )
  const entries = found.flat().sort((a, b) => b.at - a.at || a.partition - b.partition || b.n - a.n)
  return entries.slice(0, place.limit)
}

/** Where the log of a partition continues after an entry of any partition: entries of the same time are ordered by partition. */
function behind({ n, at = Number.MAX_SAFE_INTEGER, partition: given = WHOLE }: AuditMark, partition: number): AuditMark {
  if (partition === given) return { n }
  return { n: Number.MAX_SAFE_INTEGER, at: partition > given ? at : at - 1 }
}
