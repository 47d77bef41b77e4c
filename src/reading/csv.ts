/**
 * A CSV table as records: each row names its columns. The separator is the comma, semicolon or tab, whichever is most frequent in the first
 * line.
 */
import type { ReadBounds } from './bounds'
import type { ReadText } from './html'
import { tooLong } from './office/markdown-writer'
import { type Row, writeRecords } from './records'
import { Unreadable } from './unreadable'

export async function readCsv(csv: string, bounds: ReadBounds): Promise<ReadText> {
  const { parse } = await import('csv-parse/sync')
  const delimiter = separatorIn(csv.slice(0, csv.indexOf('\n') + 1 || csv.length))
  const rows: Row[] = []
  let [number, left, text] = [0, bounds.cells, bounds.text]
  try {
    parse(csv, {
      ...{ bom: true, delimiter, relax_column_count: true, relax_quotes: true },
      on_record(record: string[]) {
        left -= record.length
        if (left < 0) throw new Unreadable('too_large', 'This table has more cells than can be read at once. Split it.')
        const row = rowOf(record, ++number)
        text -= row.cells.reduce((sum, cell) => sum + cell.length, 0)
        if (text < 0) throw tooLong()
        if (row.cells.some((cell) => cell !== '')) rows.push(row)
        return null // the only copy is here
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('broken', 'This is not CSV: a quoted field does not end.')
  }
  const read = writeRecords(rows, bounds.text)
  if (read.text.length > bounds.text) throw tooLong()
  return { title: '', ...read }
}

function rowOf(record: readonly string[], number: number): Row {
  const cells = record.map((cell) => cell.replace(/\s+/g, ' ').trim())
  return { number, cells, isText: !cells.some((cell) => /^[-+]?[\d.,]+%?$/.test(cell)) }
}

/** The one of comma, semicolon and tab that occurs most often in the first line. */
function separatorIn(head: string): string {
  const count = (sign: string): number => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
