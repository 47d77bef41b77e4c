/** JSON as text: a list of objects as records, anything else as lines that name their path (`address.city: Oslo`). JSON lines are a record each, in the file's own lines. */
import type { ReadBounds } from './bounds'
import type { ReadText } from './html'
import { oneLine, tooLong } from './office/markdown-writer'
import { Unreadable } from './unreadable'

const MAX_DEPTH = 40 // levels of nesting
const TITLES = ['title', 'name', 'headline']

export function readJson(json: string, bounds: ReadBounds): ReadText {
  const value = parsed(json, 'This is no JSON.')
  const title = isRecord(value) ? titleIn(value) : ''
  const text = Array.isArray(value) ? value.map(recordOf).join('\n') : fieldsOf(value, '').join('\n')
  if (text.length > bounds.text) throw tooLong()
  return { title, text }
}

export function readJsonLines(jsonl: string, bounds: ReadBounds): ReadText {
  const lines = jsonl.split(/\r?\n/)
  const text = lines
    .map((line, i) => (line.trim() === '' ? '' : recordOf(parsed(line, `Line ${i + 1} is no JSON.`))))
    .join('\n')
    .trimEnd()
  if (text.length > bounds.text) throw tooLong()
  return { title: '', text, outline: [{ start: 0, line: 1 }] }
}

function parsed(json: string, fault: string): unknown {
  if (isDeep(json)) throw new Unreadable('broken', `JSON may be nested ${MAX_DEPTH} levels deep.`)
  try {
    return JSON.parse(json)
  } catch {
    throw new Unreadable('broken', fault)
  }
}

/** Counts brackets outside strings, before the parser sees them. */
function isDeep(json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (token === '[' || token === '{') {
      if (++depth > MAX_DEPTH) return true
    } else if (token === ']' || token === '}') depth--
  }
  return false
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
