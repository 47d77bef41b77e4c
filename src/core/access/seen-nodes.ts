/** What an asker may see of recently read nodes: when there are too many, the cache starts again. */
import type { GraphNode } from '../graph/types'

const limits = {
  remembered: 10_000, // nodes whose visible part is known
  parts: 1000, // of those, nodes that are visible in part: they are kept themselves
} as const
const bytes = { node: 120, part: 1500 } as const // that one takes, about

/** `whole`: as it is in the graph. Undefined: not at all. */
export type Seen = GraphNode | 'whole' | undefined

export class SeenNodes {
  readonly #nodes = new Map<string, Seen>()
  #parts = 0

  get bytes(): number {
    return bytes.node * this.#nodes.size + bytes.part * this.#parts
  }

  get(id: string): Seen {
    return this.#nodes.get(id)
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  set(id: string, seen: Seen): void {
    if (this.#nodes.size >= limits.remembered || this.#parts >= limits.parts) {
      this.#nodes.clear()
      this.#parts = 0
    }
    if (typeof seen === 'object') this.#parts++
    this.#nodes.set(id, seen)
  }
}
