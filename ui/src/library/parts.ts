/**
 * Divides what is too large for one document at its natural boundaries: a text before headings and between paragraphs, a table between
 * rows, with its first row repeated.
 */
import { splitText } from '../../../src/client/split-text'

const MIB = 1024 * 1024
export const MOST_SPLIT = 32 * MIB // bytes in a file that is divided here
const MOST_READ = 0.9 * MIB // bytes that a part of a table may have once each row names its columns
const MOST_CELLS = 200_000 // in a part; the service reads twice as many
const PER_CELL = 4 // bytes between a column's name and a cell

export interface InParts {
  /** The file's id; its parts are `id#part-1` and so on. */
  readonly id: string
  readonly parts: number
}

export const textPartsOf = (text: string): readonly string[] => [...splitText(text)].filter((part) => part.trim() !== '')

/** Null: it is sent unchanged, because it is small enough, or not in UTF-8, which only the service can read. */
export async function tablePartsOf(file: File): Promise<readonly File[] | null> {
  if (file.size < MOST_READ / 8) return null
  let table: string
  try {
    table = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    return null
  }
  const parts = divideTable(table)
  return parts.length > 1 ? parts.map((part) => new File([part], file.name, { type: file.type })) : null
}

/** A row longer than a part becomes its own part. */
export function divideTable(table: string): readonly string[] {
  const rows = rowsOf(table)
  const [head = ''] = rows
  const names = namesIn(head)
  const [beginning, body] = names ? [head, rows.slice(1)] : ['', rows]
  const parts: string[] = []
  let [part, read, cells]: [string[], number, number] = [[], 0, 0]
  for (const row of body) {
    const width = names?.length ?? row.split(/[,;\t]/).length
    // Letters of most scripts take two or three bytes; three is never too few.
    const size = 3 * (row.length + (names ? head.length : 0)) + PER_CELL * width
    if (part.length > 0 && (read + size > 3 * MOST_READ || cells + width > MOST_CELLS)) {
      parts.push(beginning + part.join(''))
      part = []
      read = 0
      cells = 0
    }
    part.push(row)
    read += size
    cells += width
  }
  if (part.length > 0) parts.push(beginning + part.join(''))
  return parts
}

/** Each with its line break; a line break in quotes does not end a row. */
function rowsOf(table: string): string[] {
  const rows: string[] = []
  let [from, isQuoted] = [0, false]
  for (let at = 0; at < table.length; at++) {
    const sign = table[at]
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === '\n' && !isQuoted) {
      rows.push(table.slice(from, at + 1))
      from = at + 1
    }
  }
  if (from < table.length) rows.push(table.slice(from))
  return rows
}

/** Undefined: the first row names no columns, as far as the service would say so too. */
function namesIn(head: string): readonly string[] | undefined {
  const names = head
    .trim()
    .split(/[,;\t]/)
    .map((name) => name.replace(/^"|"$/g, '').trim())
  const filled = names.filter((name) => name !== '')
  const isHead = filled.length > 1 && new Set(filled).size === filled.length && !filled.some((name) => /^[-+]?[\d.,]+%?$/.test(name))
  return isHead ? names : undefined
}
