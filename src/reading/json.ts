/**
 * JSON as text: a list of objects as records, anything else as lines that name their path (`address.city: Oslo`). Each line of JSON lines
 * is a record, in the file's own lines.
 */
import type { ReadBounds } from './bounds'
import type { ReadText } from './html'
import { parseJson } from './json-values'
import { linesOf } from './lines'
import { oneLine, tooLong } from './office/markdown-writer'

const TITLES = ['title', 'name', 'headline']

export function readJson(json: string, bounds: ReadBounds): ReadText {
  const value = parseJson(json, 'This is not JSON.', bounds)
  const title = isRecord(value) ? titleIn(value) : ''
  const text = Array.isArray(value) ? value.map(recordOf).join('\n') : fieldsOf(value, '').join('\n')
  if (text.length > bounds.text) throw tooLong()
  return { title, text }
}

export function readJsonLines(jsonl: string, bounds: ReadBounds): ReadText {
  const records: string[] = []
  let left = bounds.text
  for (const line of linesOf(jsonl)) {
    const record = line.trim() === '' ? '' : recordOf(parseJson(line, `Line ${records.length + 1} is not JSON.`, bounds))
    left -= record.length + 1
    if (left < 0) throw tooLong()
    records.push(record)
  }
  const text = records.join('\n').trimEnd()
  return { title: '', text, outline: [{ start: 0, line: 1 }] }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function titleIn(value: { readonly [key: string]: unknown }): string {
  const title = TITLES.map((key) => value[key]).find((one) => typeof one === 'string')
  return typeof title === 'string' ? oneLine(title) : ''
}

const recordOf = (value: unknown): string => `- ${fieldsOf(value, '').map(oneLine).join('; ')}`

function fieldsOf(value: unknown, path: string): string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) {
    const isFlat = value.every((one) => typeof one !== 'object' || one === null)
    if (isFlat) return value.length === 0 ? [] : [line(path, value.map((one) => oneLine(String(one ?? ''))).join(', '))]
    return value.flatMap((one, i) => fieldsOf(one, `${path}[${i}]`))
  }
  if (isRecord(value)) return Object.entries(value).flatMap(([key, one]) => fieldsOf(one, path === '' ? key : `${path}.${key}`))
  return [line(path, String(value).trim())]
}

const line = (path: string, value: string): string => (path === '' ? value : `${path}: ${value}`)
