/**
 * Unpacks fax pictures (CCITT group 3 and 4, ITU-T T.4 and T.6), which is how offices scan in black and white. Written here because no
 * library does this within a Worker's memory: those on npm write a text of 0 and 1 for each bit, and pdf.js fetches WebAssembly for it.
 * The work is bounded by the picture's points, whatever its bytes say.
 */
import { CODE_BITS, RUN_CODES, STEP } from './fax-codes'

export interface FaxForm {
  /** Below 0: group 4; 0: group 3, row by row; above: group 3 with rows that refer to the one before. */
  readonly k: number
  readonly columns: number
  readonly rows: number
  /** Each row begins with a byte. */
  readonly isAligned: boolean
}

class Flaw extends Error {}

const MAX_FLAWS = 1 / 10 // of the rows: lines were bad

/** Eight points in a byte, white is 1. Null: it is cut off, or not what it claims to be. */
export function unpackedFax(data: Uint8Array, { k, columns, rows, isAligned }: FaxForm): Uint8Array | null {
  const bits = new Bits(data)
  const stride = (columns + 7) >> 3
  const points = new Uint8Array(stride * rows).fill(0xff)
  let [row, flaws]: [readonly number[], number] = [[], 0]
  for (let y = 0; y < rows; y++) {
    if (isAligned) bits.align()
    const next = k < 0 ? (bits.endOfLine() ? 'end' : 'by_row') : beginning(bits, k)
    if (next === 'end') return y > 0 ? points : null
    if (bits.isOver) return null
    try {
      row = next === 'by_row' ? rowBy(bits, columns, row) : rowAlone(bits, columns)
    } catch (error) {
      if (!(error instanceof Flaw)) throw error
      if (k < 0 || ++flaws > rows * MAX_FLAWS || !bits.toEndOfLine()) return null // the row before is said again
    }
    blacken(points, y * stride, columns, row)
  }
  return points
}

/** Group 3 may have an end of line before each row, and has two or more at its end. */
function beginning(bits: Bits, k: number): 'alone' | 'by_row' | 'end' {
  for (let ends = 0; ; ends++) {
    const isEnd = bits.endOfLine()
    if (!isEnd && k === 0) return 'alone'
    const tag = k > 0 ? bits.take(1) : 1
    if (!isEnd) return tag === 1 ? 'alone' : 'by_row'
    if (ends > 0) return 'end'
    if (!bits.isEndOfLine()) return tag === 1 ? 'alone' : 'by_row'
  }
}

/** Where the colour changes, first to black. */
function rowAlone(bits: Bits, columns: number): number[] {
  const changes: number[] = []
  for (let at = 0; at < columns; ) {
    at += bits.run(changes.length & 1)
    push(changes, at, columns)
  }
  return changes
}

function push(changes: number[], at: number, columns: number): void {
  if (at > columns || at < (changes.at(-1) ?? 0) || changes.length > 2 * columns) throw new Flaw()
  changes.push(at)
}

/** By what the row before has at the same place. */
function rowBy(bits: Bits, columns: number, before: readonly number[]): number[] {
  const changes: number[] = []
  let [at, next] = [-1, 0]
  while (at < columns) {
    const color = changes.length & 1
    while (next > 0 && (before[next - 1] ?? columns) > at) next--
    while (next < before.length && (before[next] ?? columns) <= at) next++
    const change = (next & 1) === color ? next : next + 1
    const mode = bits.mode()
    if (mode === 'pass') at = before[change + 1] ?? columns
    else if (mode === 'runs') {
      const first = Math.max(at, 0) + bits.run(color)
      push(changes, first, columns)
      at = first + bits.run(1 - color)
      push(changes, at, columns)
    } else {
      at = (before[change] ?? columns) + mode
      push(changes, at, columns)
    }
  }
  return changes
}

function blacken(points: Uint8Array, row: number, columns: number, changes: readonly number[]): void {
  for (let i = 0; i < changes.length; i += 2) {
    const end = changes[i + 1] ?? columns
    for (let x = changes[i] ?? columns; x < end; ) {
      const at = row + (x >> 3)
      if ((x & 7) === 0 && end - x >= 8) {
        points[at] = 0
        x += 8
      } else {
        points[at] = (points[at] ?? 0) & ~(0x80 >> (x & 7))
        x++
      }
    }
  }
}

/** By the next seven bits; the number: so far from the change above. */
const MODES: readonly (readonly [code: string, mode: number | 'pass' | 'runs'])[] = [
  ['1', 0],
  ['011', 1],
  ['010', -1],
  ['001', 'runs'],
  ['0001', 'pass'],
  ['000011', 2],
  ['000010', -2],
  ['0000011', 3],
  ['0000010', -3],
]
const MODE_BITS = 7
const modeOf = Array.from({ length: 1 << MODE_BITS }, (_, bits) =>
  MODES.find(([code]) => bits.toString(2).padStart(MODE_BITS, '0').startsWith(code)),
)

const END_ZEROS = 11 // an end of line has as many or more, then a 1

class Bits {
  #at = 0

  constructor(private readonly data: Uint8Array) {}

  get isOver(): boolean {
    return this.#at >= this.data.length * 8
  }

  align(): void {
    this.#at = (this.#at + 7) & ~7
  }

  /** Behind the end there are zeros. */
  #peek(count: number): number {
    const byte = this.#at >> 3
    const { data } = this
    const three = ((data[byte] ?? 0) << 16) | ((data[byte + 1] ?? 0) << 8) | (data[byte + 2] ?? 0)
    return (three >> (24 - (this.#at & 7) - count)) & ((1 << count) - 1)
  }

  take(count: number): number {
    const bits = this.#peek(count)
    this.#at += count
    return bits
  }

  isEndOfLine(): boolean {
    return !this.isOver && this.#peek(END_ZEROS) === 0
  }

  /** Takes one, if there is one. Behind the end of all there is none. */
  endOfLine(): boolean {
    if (!this.isEndOfLine()) return false
    this.#at += END_ZEROS
    while (!this.isOver && this.#peek(1) === 0) this.#at++
    if (this.isOver) return false
    this.#at++
    return true
  }

  /** To before the next one. False: there is none. */
  toEndOfLine(): boolean {
    while (!this.isOver && !this.isEndOfLine()) this.#at++
    return !this.isOver
  }

  mode(): number | 'pass' | 'runs' {
    const known = modeOf[this.#peek(MODE_BITS)]
    if (!known || this.isOver) throw new Flaw()
    this.#at += known[0].length
    return known[1]
  }

  run(color: number): number {
    let length = 0
    for (;;) {
      const code = RUN_CODES[color === 1 ? 1 : 0][this.#peek(CODE_BITS)] ?? 0
      if (code === 0 || this.isOver) throw new Flaw()
      this.#at += code & 15
      length += code >> 4
      if (code >> 4 < STEP) return length
    }
  }
}
