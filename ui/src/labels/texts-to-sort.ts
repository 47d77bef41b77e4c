/** Texts to be sorted, from a file: one per table row, or one per line. */

export type Table = readonly (readonly string[])[]

export interface Texts {
  /** The file's columns; lines have one column without a name. */
  readonly columns: readonly string[]
  readonly rows: Table
}

export const MOST_TEXTS = 2000 // sorted from one file

export async function textsIn(file: File): Promise<Texts> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  if (!/\.[ct]sv$/i.test(file.name)) return { columns: [''], rows: text.split(/\r?\n/).flatMap((line) => (line.trim() ? [[line]] : [])) }
  const { parse } = await import('csv-parse/browser/esm/sync')
  const read: string[][] = parse(text, { bom: true, delimiter: [',', ';', '\t'], skip_empty_lines: true, relax_column_count: true })
  const [columns = [], ...rows] = read
  return { columns, rows }
}

/** The column with the longest cells: the others say who, when and which. */
export function textColumn({ columns, rows }: Texts): number {
  const lengths = columns.map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? '').length, 0))
  return lengths.indexOf(Math.max(...lengths))
}

/** By RFC 4180. */
export const tableText = (rows: Table): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
