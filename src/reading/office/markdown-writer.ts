/** Writes paragraphs, list items and tables as Markdown, checking the bound as it writes. Offsets are those of the final text. */
import { Unreadable } from '../unreadable'

export type Cells = readonly string[]

const MIN_CELL = 3 // characters for an empty cell

export class MarkdownWriter {
  readonly #parts: string[] = []
  readonly #max: number
  #length = 0
  #last: 'none' | 'block' | 'item' = 'none'

  constructor(maxText: number) {
    this.#max = maxText
  }

  /** Where the next block begins. */
  get next(): number {
    return this.#last === 'none' ? 0 : this.#length + 2
  }

  heading(text: string, level: number): void {
    const line = oneLine(text)
    if (line !== '') this.#add('block', `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${line}`)
  }

  paragraph(text: string): void {
    const own = text.replace(/[ \t]+$/gm, '').trim()
    if (own !== '') this.#add('block', own)
  }

  item(text: string, level = 0): void {
    const line = oneLine(text)
    if (line !== '') this.#add('item', `${'  '.repeat(Math.min(8, Math.max(0, level)))}- ${line}`)
  }

  /** The first row is the header. */
  table(rows: readonly Cells[]): void {
    const width = Math.max(0, ...rows.map((row) => row.length))
    const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
    const lines = tableLines(filled, width, this.#max)
    if (lines === undefined) throw tooLong()
    if (lines !== '') this.#add('block', lines)
  }

  text(): string {
    return this.#parts.join('')
  }

  #add(kind: 'block' | 'item', text: string): void {
    const gap = this.#last === 'none' ? '' : kind === 'item' && this.#last === 'item' ? '\n' : '\n\n'
    this.#length += gap.length + text.length
    if (this.#length > this.#max) throw tooLong()
    this.#parts.push(gap, text)
    this.#last = kind
  }
}

/** The first row is the header. Undefined: it would be too long. */
export function tableLines(rows: readonly Cells[], width: number, most: number): string | undefined {
  if (width * rows.length * MIN_CELL > most) return undefined
  const [head, ...body] = rows.map((row) => `| ${Array.from({ length: width }, (_, i) => cellText(row[i] ?? '')).join(' | ')} |`)
  return head === undefined || width === 0 ? '' : [head, `|${' --- |'.repeat(width)}`, ...body].join('\n')
}

export const tooLong = (): Unreadable =>
  new Unreadable('too_large', 'The text of this file is longer than a document may be (1 MiB). Split it.')

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const cellText = (text: string): string => oneLine(text).replaceAll('|', '\\|')
