/** The graph's version and how many of everything there are: one row, written once for each change of the graph. */
import type { Sql } from '../sql'

interface State {
  readonly version: number
  readonly counts: string
}

export class Counts {
  readonly #sql: Sql
  #version = 0
  #written = '{}'
  #counts = new Map<string, number>()
  /** True while memory counts what no table says yet. */
  #ahead = false

  constructor(sql: Sql) {
    this.#sql = sql
  }

  get version(): number {
    return this.#version
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** The sum over keys that begin so. */
  sum(prefix: string): number {
    let sum = 0
    for (const [key, count] of this.#counts) if (key.startsWith(prefix)) sum += count
    return sum
  }

  add(key: string, by: number): void {
    if (by === 0) return
    this.#counts.set(key, this.of(key) + by)
    this.#ahead = true
  }

  /** Takes what the table says; true when memory said something else. */
  read(): boolean {
    const state = this.#sql.one<State>('SELECT version, counts FROM graph_state')
    if (!state || (!this.#ahead && state.version === this.#version && state.counts === this.#written)) return false
    this.#ahead = false
    this.#version = state.version
    this.#written = state.counts
    this.#counts = new Map(Object.entries(JSON.parse(state.counts) as { [key: string]: number }))
    return true
  }

  write(version: number): void {
    const counts = JSON.stringify(Object.fromEntries([...this.#counts].filter(([, count]) => count !== 0)))
    this.#ahead = false
    if (version === this.#version && counts === this.#written) return
    this.#sql.run('UPDATE graph_state SET version = ?, counts = ?', version, counts)
    this.#version = version
    this.#written = counts
  }
}
