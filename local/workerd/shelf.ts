/**
 * Vectors in memory, one dense matrix per namespace, rows of unit length: searching a small one is one pass of dot products; searching a
 * large one is a pass over signs (sketch.ts), then dot products of the rows that remain. A removed row is replaced by the last one, so the
 * matrix never has holes. It contains the same as SQLite and can always be rebuilt.
 */
import type { Filter, Indexed } from './filter'
import type { Wanted } from './limits'
import { fewestDiffering, wordsOf, writeSigns } from './sketch'

const COMPARED = 16_384 // rows with the nearest signs: compared exactly
export const SCANNED = 2 * COMPARED // up to this many rows, all are compared exactly

export interface Found {
  readonly id: string
  readonly namespace: string
  readonly score: number
  readonly indexed: Indexed
}

interface Board {
  readonly dimensions: number
  matrix: Float32Array
  signs: Uint32Array
  readonly ids: string[]
  readonly indexed: Indexed[]
}

export class Shelf {
  readonly #boards = new Map<string, Board>()
  readonly #places = new Map<string, { namespace: string; row: number }>()
  /** What filters see, stored once for all rows that share it: there are few, so a filter checks each once per search. */
  readonly #seen = new Map<string, Indexed>()
  readonly #scanned: number

  /** `scanned`: up to this many rows in a namespace, all are compared exactly. */
  constructor(scanned = SCANNED) {
    this.#scanned = scanned
  }

  put(id: string, namespace: string, values: Float32Array, indexed: Indexed): void {
    const board = this.#board(namespace, values.length)
    const row = board.ids.length
    if ((row + 1) * board.dimensions > board.matrix.length) board.matrix = grown(board.matrix)
    board.matrix.set(unitLength(values), row * board.dimensions)
    const words = wordsOf(board.dimensions)
    if ((row + 1) * words > board.signs.length) board.signs = grownSigns(board.signs)
    writeSigns(board.signs, row * words, values)
    board.ids.push(id)
    board.indexed.push(this.#shared(indexed))
    this.#places.set(id, { namespace, row })
  }

  remove(id: string): void {
    const place = this.#places.get(id)
    const board = place && this.#boards.get(place.namespace)
    if (!board) return
    this.#places.delete(id)
    const last = board.ids.length - 1
    const moved = board.ids.pop()
    const indexed = board.indexed.pop()
    if (place.row === last || moved === undefined || indexed === undefined) return
    board.ids[place.row] = moved
    board.indexed[place.row] = indexed
    board.matrix.copyWithin(place.row * board.dimensions, last * board.dimensions, (last + 1) * board.dimensions)
    const words = wordsOf(board.dimensions)
    board.signs.copyWithin(place.row * words, last * words, (last + 1) * words)
    this.#places.set(moved, { namespace: place.namespace, row: place.row })
  }

  /** By cosine, then by id. */
  nearest(vector: Float32Array, wanted: Wanted): Found[] {
    const unit = unitLength(vector)
    const names = wanted.namespace === undefined ? [...this.#boards.keys()] : [wanted.namespace]
    const found = names.flatMap((namespace) => {
      const board = this.#boards.get(namespace)
      return board ? nearestOf(board, namespace, unit, wanted, board.ids.length > this.#scanned) : []
    })
    return found.sort(ahead).slice(0, wanted.k)
  }

  #board(namespace: string, dimensions: number): Board {
    const known = this.#boards.get(namespace)
    if (known) return known
    const board: Board = {
      dimensions,
      matrix: new Float32Array(dimensions * 64),
      signs: new Uint32Array(wordsOf(dimensions) * 64),
      ids: [],
      indexed: [],
    }
    this.#boards.set(namespace, board)
    return board
  }

  #shared(indexed: Indexed): Indexed {
    const key = JSON.stringify(indexed)
    const known = this.#seen.get(key)
    if (known) return known
    if (this.#seen.size >= SHARED) this.#seen.clear()
    this.#seen.set(key, indexed)
    return indexed
  }
}

const SHARED = 10_000 // kept for sharing; forgetting them only costs memory

const ahead = (a: Found, b: Found): number => b.score - a.score || (a.id < b.id ? -1 : 1)

function nearestOf(board: Board, namespace: string, unit: Float32Array, wanted: Wanted, isLarge: boolean): Found[] {
  if (!isLarge) return scan(board, namespace, unit, wanted)
  const asked = new Uint32Array(wordsOf(board.dimensions))
  writeSigns(asked, 0, unit)
  const admits = wanted.filter ? onceEach(wanted.filter) : () => true
  const rows = fewestDiffering(board.signs, board.ids.length, asked, COMPARED, (row) => admits(board.indexed[row] ?? {}))
  return scan(board, namespace, unit, { ...wanted, filter: undefined }, rows)
}

function onceEach(filter: Filter): Filter {
  const known = new Map<Indexed, boolean>()
  return (indexed) => {
    const before = known.get(indexed)
    if (before !== undefined) return before
    const isIn = filter(indexed)
    known.set(indexed, isIn)
    return isIn
  }
}

function scan(board: Board, namespace: string, unit: Float32Array, wanted: Wanted, rows?: readonly number[]): Found[] {
  const { ids, indexed, matrix, dimensions } = board
  const count = rows?.length ?? ids.length
  let best: Found[] = []
  let min = Number.NEGATIVE_INFINITY // the score a new row must reach once there are enough
  for (let n = 0; n < count; n++) {
    const row = rows ? (rows[n] as number) : n
    const seen = indexed[row] ?? {}
    if (wanted.filter && !wanted.filter(seen)) continue
    const score = dot(matrix, row * dimensions, unit)
    if (score < min) continue
    best.push({ id: ids[row] ?? '', namespace, score, indexed: seen })
    if (best.length < 4 * wanted.k) continue
    best = best.sort(ahead).slice(0, wanted.k)
    min = best[wanted.k - 1]?.score ?? min
  }
  return best
}

function unitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, 0, vector)) || 1
  return vector.map((value) => value / length)
}

/** Four running sums, because a single one would wait for itself. */
function dot(matrix: Float32Array, from: number, unit: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0]
  const whole = unit.length - (unit.length % 4)
  for (let i = 0; i < whole; i += 4) {
    a += (matrix[from + i] as number) * (unit[i] as number)
    b += (matrix[from + i + 1] as number) * (unit[i + 1] as number)
    c += (matrix[from + i + 2] as number) * (unit[i + 2] as number)
    d += (matrix[from + i + 3] as number) * (unit[i + 3] as number)
  }
  for (let i = whole; i < unit.length; i++) a += (matrix[from + i] as number) * (unit[i] as number)
  return a + b + c + d
}

function grown(matrix: Float32Array): Float32Array {
  const wider = new Float32Array(matrix.length * 2)
  wider.set(matrix)
  return wider
}

function grownSigns(signs: Uint32Array): Uint32Array {
  const wider = new Uint32Array(signs.length * 2)
  wider.set(signs)
  return wider
}
