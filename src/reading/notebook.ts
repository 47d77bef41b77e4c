/** A Jupyter notebook: its Markdown unchanged, its code fenced, and the beginning of each cell's output. Pictures are left out. */
import type { OutlineEntry } from '../core/text/outline'
import type { ReadBounds } from './bounds'
import type { ReadText } from './html'
import { parseJson } from './json-values'
import { tooLong } from './office/markdown-writer'
import { Unreadable } from './unreadable'

const MAX_OUTPUT = 2000 // characters of one cell's output
const HEADING = /^#{1,2}[ \t]+(.+?)[ \t#]*$/m

interface Fields {
  readonly [key: string]: unknown
}

export function readNotebook(json: string, bounds: ReadBounds): ReadText {
  const notebook = parsed(json, bounds)
  const language = languageOf(notebook)
  const outline: OutlineEntry[] = []
  const parts: string[] = []
  let length = 0
  for (const [i, cell] of cellsOf(notebook).entries()) {
    const text = textOf(cell, language)
    if (text === '') continue
    const gap = parts.length === 0 ? '' : '\n\n'
    outline.push({ start: length + gap.length, cells: String(i + 1) })
    parts.push(gap, text)
    length += gap.length + text.length
    if (length > bounds.text) throw tooLong()
  }
  const text = parts.join('')
  return { title: HEADING.exec(text)?.[1]?.trim() ?? '', text, outline }
}

const NO_NOTEBOOK = 'This is not a Jupyter notebook.'
const broken = (): Unreadable => new Unreadable('broken', NO_NOTEBOOK)

function parsed(json: string, bounds: ReadBounds): Fields {
  const value = parseJson(json, NO_NOTEBOOK, bounds)
  if (isFields(value)) return value
  throw broken()
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The cells of version 4, and of version 3, which kept them in worksheets. */
function cellsOf(notebook: Fields): readonly Fields[] {
  const sheets = Array.isArray(notebook.worksheets) ? notebook.worksheets.filter(isFields) : []
  const cells = Array.isArray(notebook.cells) ? notebook.cells : sheets.flatMap((sheet) => (Array.isArray(sheet.cells) ? sheet.cells : []))
  if (!Array.isArray(notebook.cells) && sheets.length === 0) throw broken()
  return cells.filter(isFields)
}

function languageOf({ metadata }: Fields): string {
  const info = isFields(metadata) ? (isFields(metadata.kernelspec) ? metadata.kernelspec.language : undefined) : undefined
  return typeof info === 'string' && /^[\w+-]{1,20}$/.test(info) ? info : 'python'
}

function textOf(cell: Fields, language: string): string {
  const source = joined(cell.source ?? cell.input).trim()
  if (cell.cell_type === 'markdown' || cell.cell_type === 'heading' || cell.cell_type === 'raw') return source
  if (cell.cell_type !== 'code') return ''
  const printed = (Array.isArray(cell.outputs) ? cell.outputs.filter(isFields) : []).map(printedBy).join('\n').trim().slice(0, MAX_OUTPUT)
  const code = source === '' ? '' : fenced(source, language)
  return [code, printed === '' ? '' : fenced(printed, 'text')].filter((part) => part !== '').join('\n\n')
}

function printedBy(output: Fields): string {
  const { data, text } = output
  return joined(text) || (isFields(data) ? joined(data['text/plain']) : '')
}

const joined = (source: unknown): string =>
  Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : typeof source === 'string' ? source : ''

/** In a fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
