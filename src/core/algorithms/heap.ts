/** A binary min-heap of numbered items; equal priorities leave in the order of their numbers. */

export interface Heap {
  push(item: number, priority: number): void
  /** The item with the lowest priority, and that priority. */
  pop(): { readonly item: number; readonly priority: number } | undefined
}

export function heap(): Heap {
  const items: number[] = []
  const priorities: number[] = []
  const before = (a: number, b: number): boolean => {
    const pa = priorities[a] ?? 0
    const pb = priorities[b] ?? 0
    return pa < pb || (pa === pb && (items[a] ?? 0) < (items[b] ?? 0))
  }
  const swap = (a: number, b: number): void => {
    const item = items[a] ?? 0
    const priority = priorities[a] ?? 0
    items[a] = items[b] ?? 0
    priorities[a] = priorities[b] ?? 0
    items[b] = item
    priorities[b] = priority
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const min = left + 1 < items.length && before(left + 1, left) ? left + 1 : left
      if (min >= items.length || !before(min, at)) return
      swap(at, min)
      at = min
    }
  }
  return {
    push(item, priority) {
      items.push(item)
      priorities.push(priority)
      for (let at = items.length - 1; at > 0 && before(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1)
    },
    pop() {
      const item = items[0]
      const priority = priorities[0]
      if (item === undefined || priority === undefined) return undefined
      swap(0, items.length - 1)
      items.pop()
      priorities.pop()
      sink()
      return { item, priority }
    },
  }
}
