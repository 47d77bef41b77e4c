/** Which documents hold a chunk, smallest document id first, then by start. Follows the document records. */
import { compareText } from './ordered-map'
import type { DocumentRecord, Placement } from './types'

const NONE: readonly Placement[] = []

export class Placements {
  readonly #byChunk = new Map<string, readonly Placement[]>()

  of(chunk: string): readonly Placement[] {
    return this.#byChunk.get(chunk) ?? NONE
  }

  add({ id, chunks }: DocumentRecord): void {
    for (const [chunk, starts] of grouped(chunks)) {
      const placed = [...this.of(chunk), ...starts.map((start) => ({ document: id, start }))]
      this.#byChunk.set(chunk, placed.sort(byDocument))
    }
  }

  remove({ id, chunks }: DocumentRecord): void {
    for (const chunk of new Set(chunks.map((one) => one.chunk))) {
      const rest = this.of(chunk).filter((one) => one.document !== id)
      if (rest.length > 0) this.#byChunk.set(chunk, rest)
      else this.#byChunk.delete(chunk)
    }
  }
}

function grouped(chunks: DocumentRecord['chunks']): Map<string, number[]> {
  const starts = new Map<string, number[]>()
  for (const { chunk, start } of chunks) starts.set(chunk, [...(starts.get(chunk) ?? []), start])
  return starts
}

function byDocument(a: Placement, b: Placement): number {
  return compareText(a.document, b.document) || a.start - b.start
}
