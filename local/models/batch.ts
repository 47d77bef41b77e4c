/**
 * Sequences of one context that step together. The library takes into a batch what is queued at the moment the one before has ended, which is the next
 * token of the first sequence alone: the others come a few microtasks later, and from then on each has a batch of its own. So it is told to wait for those
 * that are being written, though not for one that is not coming: that still reads its grammar, say, or has just ended. What is in a batch is multiplied
 * at once as far as its sequences follow one another by number, and piece by piece where they don't: so they are put in order.
 */
import type { BatchItem, PickedItem } from './llama-library'

const PATIENCE = 32 // times it is asked again before it goes on without the rest; four are enough for what is on its way

export interface SharedBatch {
  /** What goes into the next batch, in the order of its sequences: a token of each, and what room is left to those that still read. None: ask again. */
  pick(queued: { readonly items: readonly BatchItem[]; readonly size: number }): PickedItem[]
  /** While it runs, one sequence more is waited for. */
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
