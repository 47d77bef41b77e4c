/** A table of a page while it is read: its cells, and whether it is a table of short texts or a page laid out in one. */
import { type Cells, tableLines } from './office/markdown-writer'

const MOST_IN_CELL = 1000 // characters

export class OpenTable {
  readonly #rows: string[][] = []
  #before = ''
  #cell: string | undefined
  #isParagraphOver = false
  #isPlain = true

  /** What it holds is more than texts in rows. */
  spoil(): void {
    this.#isPlain = false
    this.#rows.length = 0
    this.#before = ''
  }

  row(): void {
    this.endCell()
    if (this.#isPlain) this.#rows.push([])
  }

  cell(): void {
    this.endCell()
    this.#cell = ''
  }

  endCell(): void {
    if (this.#cell !== undefined && this.#isPlain) this.#rows.at(-1)?.push(this.#cell)
    this.#cell = undefined
    this.#isParagraphOver = false
  }

  /** One begins or ends: a cell of several is no short text. */
  paragraph(): void {
    this.#isParagraphOver = this.#cell !== undefined && this.#cell !== ''
  }

  say(text: string, isApart: boolean): void {
    if (!this.#isPlain) return
    const added = (isApart ? ' ' : '') + text
    if (this.#cell === undefined) this.#before += added
    else this.#cell += added
    if (this.#isParagraphOver || (this.#cell?.length ?? 0) > MOST_IN_CELL) this.spoil()
  }

  /** Undefined: its rows stay lines. */
  markdown(most: number): { readonly before: string; readonly lines: string } | undefined {
    this.endCell()
    const rows: readonly Cells[] = this.#rows.filter((row) => row.some((cell) => cell.trim() !== ''))
    const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
    if (!this.#isPlain || rows.length < 2 || width < 2) return undefined
    const lines = tableLines(rows, width, most)
    return lines === undefined ? undefined : { before: this.#before.trim(), lines }
  }
}
