/** Rows as aligned columns that fit the terminal: if they are too wide, the widest are shortened, never the first, which names the row. */
import stringWidth from 'string-width'
import { field, type Output } from './output'

const GAP = '  '
const MIN_WIDTH = 8 // columns of the terminal that a cut field keeps
const segments = new Intl.Segmenter()

export type Row = readonly unknown[]

/** Fields are reduced to one line each. Numbers are right-aligned. */
export function table(head: readonly string[], rows: readonly Row[], { columns, style }: Pick<Output, 'columns' | 'style'>): string {
  const cells = [head, ...rows].map((row) => row.map(field))
  const isNumber = head.map((_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number'))
  const widths = narrow(
    head.map((_, at) => Math.max(...cells.map((row) => stringWidth(row[at] ?? '')))),
    columns,
  )
  const format = (row: readonly string[]): string =>
    widths
      .map((width, at) => pad(cut(row[at] ?? '', width), width, isNumber[at] === true))
      .join(GAP)
      .trimEnd()
  const [top = [], ...below] = cells
  return [...(top.some(Boolean) ? [style('dim', format(top))] : []), ...below.map(format)].join('\n')
}

/** Takes from the widest, one at a time, until the row fits or nothing can give. */
function narrow(wanted: readonly number[], columns: number): readonly number[] {
  const widths = [...wanted]
  const given = Math.max(columns - GAP.length * (widths.length - 1), 0)
  for (let over = widths.reduce((sum, width) => sum + width, 0) - given; over > 0; over--) {
    const widest = Math.max(...widths.slice(1))
    if (widest <= MIN_WIDTH) return widths
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
  return widths
}

/** By what a reader sees as one character, so that none is split. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let [kept, used] = ['', 1]
  for (const { segment } of segments.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}

function pad(text: string, width: number, isRight: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return isRight ? space + text : text + space
}
