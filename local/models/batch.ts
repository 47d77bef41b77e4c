/**
 * Sequences of one context that step together. The library batches what is queued at the moment the previous batch has ended, which is only
 * the next token of the first sequence: the others come a few microtasks later, and from then on each would get its own batch. So it is
 * told to wait for the sequences being written, though not for one that will not come: one that is still reading its grammar, say, or has
 * just ended. A batch is multiplied in one go only as far as its sequences have consecutive numbers, and otherwise piece by piece: so they
 * are sorted.
 */
import type { BatchItem, PickedItem } from './llama-library'

const PATIENCE = 32 // times it is asked again before it continues without the rest; four are enough for tokens already on their way

export interface SharedBatch {
  /**
   * What goes into the next batch, in the order of its sequences: one token of each, with the remaining room for those that still read.
   * Empty: ask again.
   */
  pick(queued: { readonly items: readonly BatchItem[]; readonly size: number }): PickedItem[]
  /** While it runs, the batch waits for one more sequence. */
  during<T>(write: () => Promise<T>): Promise<T>
}

export function sharedBatch(): SharedBatch {
  let writing = 0
  let asked = 0
  return {
    pick({ items, size }) {
      if (items.length < writing && asked < PATIENCE) {
        asked++
        return []
      }
      asked = 0
      let room = Math.max(0, size - items.length)
      const ordered = [...items].sort((one, other) => one.evaluationPriority - other.evaluationPriority)
      return ordered.map((item) => {
        const more = Math.min(item.tokens.length - 1, room)
        room -= more
        return { item, processAmount: 1 + more }
      })
    },
    async during(write) {
      writing++
      try {
        return await write()
      } finally {
        writing--
      }
    },
  }
}
