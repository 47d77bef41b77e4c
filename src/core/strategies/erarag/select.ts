/**
 * Which nodes are shown: the best of the collapsed tree, or a share p of one kind first (EraRAG, detailed and summarised search). A summary is not
 * shown together with half of its children, since it only repeats what they say. Every summary takes a supporting passage along. Pure: it sees
 * nodes only through the view it is given.
 */
import { byScore } from '../../channels/order'
import type { Hit } from '../../graph/types'
import type { Found } from '../../strategy'

export interface View {
  tokens(id: string): number
  /** The chunk a passage is in, or the id itself. */
  child(id: string): string
  members(summary: string): readonly string[]
  support(summary: string): readonly string[]
}

export interface SelectionRequest {
  readonly mode: 'collapsed' | 'detailed' | 'summarised'
  /** Share of the favoured kind. */
  readonly p: number
  readonly k: number
  readonly budget: number
}

export interface Selection {
  readonly found: readonly Found[]
  /** Summaries left out because half of their children are shown. */
  readonly repeated: readonly string[]
}

const ROUND = 1e-9 // 0.29 · 100 is a little less than 29

export function select(passages: readonly Hit[], summaries: readonly Hit[], wish: SelectionRequest, view: View): Selection {
  const table = new Selector(new Set(summaries.map((hit) => hit.id)), wish, view)
  if (wish.mode === 'collapsed') table.fill([...passages, ...summaries].sort(byScore), wish.k)
  else {
    const [first, second] = wish.mode === 'detailed' ? [passages, summaries] : [summaries, passages]
    table.fill(first, Math.floor(wish.p * wish.k + ROUND))
    table.fill(second, wish.k)
    table.fill(first, wish.k)
  }
  return table.selection()
}

class Selector {
  readonly #chosen = new Map<string, Hit>()
  readonly #repeated = new Set<string>()
  readonly #summaries: ReadonlySet<string>
  readonly #wish: SelectionRequest
  readonly #view: View

  constructor(summaries: ReadonlySet<string>, wish: SelectionRequest, view: View) {
    this.#summaries = summaries
    this.#wish = wish
    this.#view = view
  }

  /** Takes hits in order until so many pieces are shown. What does not fit is passed over: a shorter one may fit. */
  fill(hits: readonly Hit[], max: number): void {
    for (const hit of hits) {
      if (this.#shown().size >= max) return
      if (!this.#chosen.has(hit.id) && !this.#repeated.has(hit.id)) this.#take(hit, max)
    }
  }

  selection(): Selection {
    const found = [...this.#chosen.values()].sort(byScore).map((hit): Found => {
      if (!this.#summaries.has(hit.id)) return { ...hit, via: 'passage' }
      return { ...hit, via: 'summary', support: this.#view.support(hit.id) }
    })
    return { found, repeated: [...this.#repeated].sort() }
  }

  #take(hit: Hit, max: number): void {
    if (this.#summaries.has(hit.id) && (this.#repeats(hit.id) || this.#view.support(hit.id).length === 0)) {
      if (this.#repeats(hit.id)) this.#repeated.add(hit.id)
      return
    }
    this.#chosen.set(hit.id, hit)
    const shown = this.#shown()
    const tokens = [...shown].reduce((sum, id) => sum + this.#view.tokens(id), 0)
    if (shown.size > max || tokens > this.#wish.budget) this.#chosen.delete(hit.id)
    else this.#retire()
  }

  /** Drops summaries once half of their children are shown. */
  #retire(): void {
    for (const id of [...this.#chosen.keys()]) {
      if (!this.#summaries.has(id) || !this.#repeats(id)) continue
      this.#chosen.delete(id)
      this.#repeated.add(id)
    }
  }

  #repeats(summary: string): boolean {
    const children = new Set([...this.#shown()].map((id) => this.#view.child(id)))
    const members = this.#view.members(summary)
    return members.length > 0 && 2 * members.filter((id) => children.has(id)).length >= members.length
  }

  /** What will be shown: the chosen, and for each summary its first supporting passage. */
  #shown(): Set<string> {
    const shown = new Set<string>()
    for (const id of this.#chosen.keys()) {
      shown.add(id)
      const [first] = this.#summaries.has(id) ? this.#view.support(id) : []
      if (first !== undefined) shown.add(first)
    }
    return shown
  }
}
