/**
 * A weighted sum of int8 rows, added four rows at a time: each component in the order in which the rows came, so the sum is bit for bit the same as
 * row by row, but is read and written a quarter as often.
 */

const AT_ONCE = 4

export interface RowSum {
  /** Adds `rows` from `start`, as many numbers as the sum has dimensions, times the weight. They must not change until `total` or `settle`. */
  add(rows: Int8Array, start: number, weight: number): void
  /** Includes everything added so far: rows given before may change now. */
  settle(): void
  /** The sum; callers may add to it. */
  total(): Float64Array
}

export function rowSum(dimensions: number): RowSum {
  const sum = new Float64Array(dimensions)
  const rows: Int8Array[] = []
  const starts: number[] = []
  const weights: number[] = []
  const settle = (): void => {
    for (const [i, one] of rows.entries()) addOne(sum, one, starts[i] as number, weights[i] as number)
    rows.length = starts.length = weights.length = 0
  }
  return {
    add(row, start, weight) {
      rows.push(row)
      starts.push(start)
      weights.push(weight)
      if (rows.length < AT_ONCE) return
      addFour(sum, rows, starts, weights)
      rows.length = starts.length = weights.length = 0
    },
    settle,
    total() {
      settle()
      return sum
    },
  }
}

function addOne(sum: Float64Array, row: Int8Array, start: number, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (row[start + i] as number)
}

function addFour(sum: Float64Array, rows: readonly Int8Array[], starts: readonly number[], weights: readonly number[]): void {
  const [a, b, c, d] = rows as readonly [Int8Array, Int8Array, Int8Array, Int8Array]
  const [fromA, fromB, fromC, fromD] = starts as readonly [number, number, number, number]
  const [ofA, ofB, ofC, ofD] = weights as readonly [number, number, number, number]
  for (let i = 0; i < sum.length; i++) {
    const two = (sum[i] as number) + ofA * (a[fromA + i] as number) + ofB * (b[fromB + i] as number)
    sum[i] = two + ofC * (c[fromC + i] as number) + ofD * (d[fromD + i] as number)
  }
}
