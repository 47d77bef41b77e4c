/** A table of CSV as records: each row names its columns. Separated by commas, semicolons or tabs, whichever the first line has most of. */
import type { ReadBounds } from './bounds'
import type { ReadText } from './html'
import { tooLong } from './office/markdown-writer'
import { writeRecords } from './records'
import { Unreadable } from './unreadable'

export async function readCsv(csv: string, bounds: ReadBounds): Promise<ReadText> {
  const { parse } = await import('csv-parse/sync')
  const delimiter = separatorIn(csv.slice(0, csv.indexOf('\n') + 1 || csv.length))
  let left = bounds.cells
  let records: string[][]
  try {
    records = parse(csv, {
      ...{ bom: true, delimiter, relax_column_count: true, relax_quotes: true },
      on_record(record: string[]) {
        left -= record.length
        if (left < 0) throw new Unreadable('too_large', 'This table has more cells than can be read at once. Split it.')
        return record
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('broken', 'This is not CSV: a quoted field does not end.')
  }
  const rows = records.map((record, i) => {
    const cells = record.map((cell) => cell.replace(/\s+/g, ' ').trim())
    return { number: i + 1, cells, isText: !cells.some((cell) => /^[-+]?[\d.,]+%?$/.test(cell)) }
  })
  const read = writeRecords(
    rows.filter(({ cells }) => cells.some((cell) => cell !== '')),
    bounds.text,
  )
  if (read.text.length > bounds.text) throw tooLong()
  return { title: '', ...read }
}

/** The one of comma, semicolon and tab that occurs most often in the first line. */
function separatorIn(head: string): string {
  const count = (sign: string): number => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
