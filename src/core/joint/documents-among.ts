/** Where what a part answers stands: its asker may be told more of these documents. */
import type { Placement } from '../graph/types'
import type { ChunkRead, EdgesRead, MatchRead, PlacesRead, Read, SummaryRead } from './reads'

/** Documents that an answer says something stands in. */
export function documentsAmong(reads: readonly Read[], answers: readonly unknown[]): ReadonlySet<string> {
  const ids = new Set<string>()
  const placed = (placements: readonly Placement[]): void => {
    for (const { document } of placements) ids.add(document)
  }
  reads.forEach(([kind], i) => {
    const answer = answers[i] as Partial<ChunkRead & MatchRead & PlacesRead & EdgesRead> | undefined
    if (!answer || kind === 'vector') return
    if (kind === 'chunk') placed(answer.placements ?? [])
    for (const one of kind === 'above' ? (answers[i] as readonly SummaryRead[]) : [])
      for (const { placements } of one.chunks) placed(placements)
    for (const one of answer.chunks ?? []) placed(one.placements)
    for (const [, placements] of answer.placed ?? []) placed(placements)
  })
  return ids
}
