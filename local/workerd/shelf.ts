/**
 * Vectors in memory, one dense matrix per namespace, rows unit length: a search is one pass of dot products. A removed row is
 * replaced by the last one, so the matrix never has holes. It holds what SQLite holds and can always be made again.
 */
import type { Indexed } from './filter'
import type { Wanted } from './limits'

export interface Found {
  readonly id: string
  readonly namespace: string
  readonly score: number
  readonly indexed: Indexed
}

interface Board {
  readonly dimensions: number
  matrix: Float32Array
  readonly ids: string[]
  readonly indexed: Indexed[]
}

export class Shelf {
  readonly #boards = new Map<string, Board>()
  readonly #places = new Map<string, { namespace: string; row: number }>()

  put(id: string, namespace: string, values: Float32Array, indexed: Indexed): void {
    const board = this.#board(namespace, values.length)
    const row = board.ids.length
    if ((row + 1) * board.dimensions > board.matrix.length) board.matrix = grown(board.matrix)
    board.matrix.set(unitLength(values), row * board.dimensions)
    board.ids.push(id)
    board.indexed.push(indexed)
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
    this.#places.set(moved, { namespace: place.namespace, row: place.row })
  }

  /** By cosine, then by id. */
  nearest(vector: Float32Array, wanted: Wanted): Found[] {
    const unit = unitLength(vector)
    const names = wanted.namespace === undefined ? [...this.#boards.keys()] : [wanted.namespace]
    const found = names.flatMap((namespace) => {
      const board = this.#boards.get(namespace)
      return board ? scan(board, namespace, unit, wanted) : []
    })
    return found.sort(ahead).slice(0, wanted.k)
  }

  #board(namespace: string, dimensions: number): Board {
    const known = this.#boards.get(namespace)
    if (known) return known
    const board: Board = { dimensions, matrix: new Float32Array(dimensions * 64), ids: [], indexed: [] }
    this.#boards.set(namespace, board)
    return board
  }
}

const ahead = (a: Found, b: Found): number => b.score - a.score || (a.id < b.id ? -1 : 1)

function scan(board: Board, namespace: string, unit: Float32Array, wanted: Wanted): Found[] {
  const { ids, indexed, matrix, dimensions } = board
  let best: Found[] = []
  let min = Number.NEGATIVE_INFINITY // the score a newcomer must reach once there are enough
  for (let row = 0; row < ids.length; row++) {
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

/** Four running sums, because one would wait for itself. */
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
