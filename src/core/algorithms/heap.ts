/** A binary min-heap of numbered items; equal priorities leave in the order of their numbers. */

export interface Heap {
  readonly size: number
  push(item: number, priority: number): void
  /** The item of least priority, with that priority. */
  pop(): { readonly item: number; readonly priority: number } | undefined
}

export function heap(): Heap {
  const items: number[] = []
  const priorities: number[] = []
  const before = (a: number, b: number): boolean => {
    const [pa = 0, pb = 0] = [priorities[a], priorities[b]]
    return pa < pb || (pa === pb && (items[a] ?? 0) < (items[b] ?? 0))
  }
  const swap = (a: number, b: number): void => {
    const [item = 0, priority = 0] = [items[a], priorities[a]]
    items[a] = items[b] ?? 0
    priorities[a] = priorities[b] ?? 0
    items[b] = item
    priorities[b] = priority
  }
  const rise = (from: number): void => {
    let at = from
    while (at > 0 && before(at, (at - 1) >> 1)) {
      swap(at, (at - 1) >> 1)
      at = (at - 1) >> 1
    }
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const least = left + 1 < items.length && before(left + 1, left) ? left + 1 : left
      if (least >= items.length || !before(least, at)) return
      swap(at, least)
      at = least
    }
  }
  return {
    get size() {
      return items.length
    },
    push(item, priority) {
      items.push(item)
      priorities.push(priority)
      rise(items.length - 1)
    },
    pop() {
      const [item, priority] = [items[0], priorities[0]]
      if (item === undefined || priority === undefined) return undefined
      swap(0, items.length - 1)
      items.pop()
      priorities.pop()
      sink()
      return { item, priority }
    },
  }
}
