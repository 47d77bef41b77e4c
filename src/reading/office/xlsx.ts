/**
 * A workbook: each visible sheet under its name, each row as one list item that names its columns, so that a row can be understood alone
 * (if the first row names no columns, the sheet becomes a table). Dates and percentages appear as people see them. For formulas the last
 * computed value is used.
 */
import type { OutlineEntry } from '../../core/text/outline'
import type { ReadBounds } from '../bounds'
import type { ReadText } from '../html'
import { type Row, writeRecords } from '../records'
import { Unreadable } from '../unreadable'
import { oneLine, tooLong } from './markdown-writer'
import { cellValue, dateFormats, type Formats } from './xlsx-values'
import { attribute, firstText, prefixed, readXml, relationsIn, relationsPath } from './xml'
import { type Parts, resolvePath, withParts } from './zip'

const PARTS = /^(xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)|docProps\/core\.xml)$/
const MAX_COLUMNS = 16_384 // of Excel

export const readXlsx = (bytes: Uint8Array, bounds: ReadBounds): ReadText => withParts(bytes, (name) => PARTS.test(name), bounds, readParts)

function readParts(parts: Parts, bounds: ReadBounds): ReadText {
  const { sheets, is1904 } = readWorkbook(parts)
  const formats = dateFormats(parts.find('xl/styles.xml'), is1904)
  const strings = readStrings(parts.find('xl/sharedStrings.xml'))
  const left = { cells: bounds.cells, text: bounds.text }
  const texts: string[] = []
  const outline: OutlineEntry[] = []
  let length = 0
  for (const { name, path } of sheets) {
    const xml = parts.find(path)
    const rows = xml === undefined ? [] : readRows(xml, { strings, formats, left })
    if (rows.length === 0) continue
    const head = `## ${oneLine(name)}\n\n`
    const start = length
    const { text, outline: inside } = writeRecords(rows, bounds.text)
    outline.push(...inside.map((one, i) => ({ ...one, start: i === 0 ? start : one.start + start + head.length })))
    texts.push(head + text)
    length += head.length + text.length + 2
    if (length > bounds.text) throw tooLong()
  }
  return { title: firstText(parts.find('docProps/core.xml'), 'title'), text: texts.join('\n\n'), outline }
}

function readWorkbook(parts: Parts) {
  const main = 'xl/workbook.xml'
  const targets = new Map(relationsIn(parts.find(relationsPath(main))).map(({ id, target }) => [id, resolvePath(main, target)]))
  const sheets: { name: string; path: string }[] = []
  let is1904 = false
  readXml(parts.read(main), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return
      const path = targets.get(prefixed(attributes, 'id') ?? '')
      if (path !== undefined) sheets.push({ name: attributes.name ?? '', path })
    },
  })
  return { sheets, is1904 }
}

function readStrings(xml: string | undefined): readonly string[] {
  const found: string[] = []
  let [isText, isHint] = [false, false]
  readXml(xml ?? '', {
    open(name) {
      if (name === 'si') found.push('')
      else if (name === 'rPh')
        isHint = true // a pronunciation hint
      else if (name === 't') isText = !isHint
    },
    text(text) {
      if (isText) found.push(`${found.pop() ?? ''}${text}`)
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isHint = false
    },
  })
  return found
}

interface Reading {
  readonly strings: readonly string[]
  readonly formats: Formats
  /** For all sheets together. */
  readonly left: { cells: number; text: number }
}

function readRows(xml: string, { strings, formats, left }: Reading): readonly Row[] {
  const rows: Row[] = []
  let row: { number: number; cells: string[]; isText: boolean } = { number: 0, cells: [], isText: true }
  let [column, type, style, value, isValue] = [0, '', '', '', false]
  readXml(xml, {
    open(name, attributes) {
      if (name === 'row') row = { number: Number(attributes.r) || row.number + 1, cells: [], isText: true }
      else if (name === 'c') {
        column = columnOf(attributes.r) ?? row.cells.length
        if (column >= MAX_COLUMNS) throw new Unreadable('broken', 'This workbook refers to a column that does not exist.')
        left.cells -= Math.max(1, column - row.cells.length) // gaps are filled
        if (left.cells < 0) throw new Unreadable('too_large', 'This workbook has more cells than can be read at once. Split it.')
        ;[type, style, value] = [attribute(attributes, 't') ?? 'n', attributes.s ?? '', '']
      } else if (name === 'v' || name === 't') isValue = true
    },
    text(text) {
      if (isValue) value += text
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c') {
        const shown = oneLine(type === 's' ? stringAt(strings, value, left.text) : cellValue(value, type, style, formats))
        if (shown === '') return
        left.text -= shown.length // every cell may hold the same string
        if (left.text < 0) throw tooLong()
        if (type === 'n' || type === 'd') row.isText = false
        while (row.cells.length < column) row.cells.push('')
        row.cells[column] = shown
      } else if (name === 'row' && row.cells.length > 0) rows.push(row)
    },
  })
  return rows
}

/** A long reference is refused before it is parsed. */
function stringAt(strings: readonly string[], value: string, max: number): string {
  const found = strings[Number(value)] ?? ''
  if (found.length > max) throw tooLong()
  return found
}

/** `AB12` is column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1]
  return letters === undefined ? undefined : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
