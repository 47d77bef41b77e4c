/** The graph's version, how many of each thing there are, and its state in sums: one row, written once for each change of the graph. */
import type { Sql } from '../sql'
import { packSums, type Sums, unpackSums } from './state-sum'

interface State {
  readonly version: number
  readonly counts: string
  readonly sums: string
}

export class Counts {
  readonly #sql: Sql
  #version = 0
  #written = '{}'
  #counts = new Map<string, number>()
  #summed = ''
  #sums = unpackSums('')
  /** True while memory counts something that no table contains yet. */
  #ahead = false

  constructor(sql: Sql) {
    this.#sql = sql
  }

  get version(): number {
    return this.#version
  }

  /** Changed in place by each change of the graph, before `write`. */
  get sums(): Sums {
    return this.#sums
  }

  /** Has the state ever been summed up? */
  get summed(): boolean {
    return this.#summed !== ''
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** The sum over keys with this prefix. */
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

  /** Adopts the table's values; true if memory had others. */
  read(): boolean {
    const state = this.#sql.one<State>('SELECT version, counts, sums FROM graph_state')
    if (!state || (this.#knows(state) && !this.#ahead)) return false
    this.#ahead = false
    this.#version = state.version
    this.#written = state.counts
    this.#summed = state.sums
    this.#sums = unpackSums(state.sums)
    this.#counts = new Map(Object.entries(JSON.parse(state.counts) as { [key: string]: number }))
    return true
  }

  #knows(state: State): boolean {
    const summed = state.sums === this.#summed && (state.sums === '' || packSums(this.#sums) === state.sums)
    return summed && state.version === this.#version && state.counts === this.#written
  }

  write(version: number, sums: Sums = this.#sums): void {
    this.#sums = sums
    const summed = packSums(sums)
    const counts = JSON.stringify(Object.fromEntries([...this.#counts].filter(([, count]) => count !== 0)))
    this.#ahead = false
    if (version === this.#version && counts === this.#written && summed === this.#summed) return
    this.#sql.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, summed)
    this.#summed = summed
    this.#version = version
    this.#written = counts
  }
}
