/** The names that chunks mention. */
import type { DocumentChunk } from '../../../src/client/client'

interface Named {
  readonly id: string
  readonly name: string
  readonly chunks: number
}

/** Each once, with the number of chunks that mention it. */
export function namesIn(chunks: readonly Pick<DocumentChunk, 'entities'>[]): readonly Named[] {
  const found = new Map<string, Named>()
  for (const { entities } of chunks)
    for (const { id, name } of entities) found.set(id, { id, name, chunks: (found.get(id)?.chunks ?? 0) + 1 })
  return [...found.values()].sort((a, b) => b.chunks - a.chunks || a.name.localeCompare(b.name, 'en'))
}
