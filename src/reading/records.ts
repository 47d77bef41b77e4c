/**
 * Rows as text: one list item each, naming its columns (`- Bird: Owl; Legs: 2`), if the first row names them; otherwise a Markdown table.
 */
import type { OutlineEntry } from '../core/text/outline'
import type { ReadText } from './html'
import { tooLong } from './office/markdown-writer'

const BLOCK = 400 // characters of text that share one entry of the outline
const MIN_CELL = 3 // characters for an empty cell
const MAX_NAME = 80 // characters of a column's name

export interface Row {
  /** From 1 on, as the file counts. */
  readonly number: number
  /** By column, from 0 on. */
  readonly cells: readonly string[]
  /** It contains no numbers. */
  readonly isText: boolean
}

/** `maxText`: characters, beyond which nothing more is written. */
export function writeRecords(
  rows: readonly Row[],
  maxText: number,
): Required<Pick<ReadText, 'text' | 'outline'>> & { readonly outline: readonly OutlineEntry[] } {
  const [first, ...rest] = rows
  if (!first) return { text: '', outline: [] }
  const names = namesIn(first, rest)
  const written = names ? recordsOf(rest, names) : tableOf(rows, maxText)
  const lines: Line[] = []
  let left = maxText
  for (const line of written) {
    left -= line.text.length + 1
    if (left < 0) throw tooLong()
    lines.push(line)
  }
  return withOutline(lines)
}

/** Undefined: the first row names no columns. */
function namesIn(first: Row, rest: readonly Row[]): readonly string[] | undefined {
  const names = first.cells.filter((name) => name !== '')
  const isHead = first.isText && names.length > 1 && rest.length > 0 && new Set(names).size === names.length
  return isHead && names.every((name) => name.length <= MAX_NAME) ? first.cells : undefined
}

function* recordsOf(rows: readonly Row[], names: readonly string[]): Generator<Line> {
  for (const row of rows) yield { numbers: [row.number], width: row.cells.length, text: recordOf(row, names) }
}

function recordOf({ cells }: Row, names: readonly string[]): string {
  const parts = cells.flatMap((cell, i) => (cell === '' ? [] : names[i] ? `${names[i]}: ${cell}` : cell))
  return `- ${parts.join('; ')}`
}

interface Line {
  readonly numbers: readonly number[]
  readonly width: number
  readonly text: string
}

/** Every row is as wide as the widest: one cell far to the right widens them all. */
function* tableOf(rows: readonly Row[], maxText: number): Generator<Line> {
  const width = rows.reduce((widest, row) => Math.max(widest, row.cells.length), 0)
  if (width * rows.length * MIN_CELL > maxText) throw tooLong()
  const lineOf = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, i) => (cells[i] ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  for (const [i, row] of rows.entries())
    yield { numbers: [row.number], width, text: i === 0 ? `${lineOf(row.cells)}\n|${' --- |'.repeat(width)}` : lineOf(row.cells) }
}

/** Each entry names the cell range of a few lines. */
function withOutline(lines: readonly Line[]) {
  const outline: OutlineEntry[] = []
  let [at, start, length, first, last, width] = [0, 0, 0, 0, 0, 0]
  const close = (): void => {
    if (first > 0) outline.push({ start, cells: `A${first}:${columnName(width - 1)}${last}` })
    ;[start, length, first, width] = [at, 0, 0, 0]
  }
  for (const { numbers, width: own, text } of lines) {
    if (length > BLOCK) close()
    if (first === 0) first = numbers[0] ?? 0
    last = numbers.at(-1) ?? last
    width = Math.max(width, own)
    length += text.length + 1
    at += text.length + 1
  }
  close()
  return { text: lines.map(({ text }) => text).join('\n'), outline }
}

/** 0 is A, 27 is AB. */
function columnName(index: number): string {
  let name = ''
  for (let n = Math.max(0, index) + 1; n > 0; n = Math.floor((n - 1) / 26)) name = String.fromCharCode(65 + ((n - 1) % 26)) + name
  return name
}
