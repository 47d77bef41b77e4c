/**
 * The records of a text: whatever is written as labels with values, as a table or as a list of fields. Each has its fields, in order, and the
 * places of their values. Pure.
 */
import type { Span } from '../graph/types'

export interface Field {
  readonly key: string
  readonly value: string
  /** Place of the value. */
  readonly at: Span
  /** Place of the line, or of the part of a line that is the field. */
  readonly whole: Span
}

export interface TextRecord extends Span {
  readonly fields: readonly Field[]
}

/** "count: 9", "- **Berth**: North Pier". */
const FIELD = /^(?<before>[ \t]*(?:[-*+•] +)?(?:\*\*)?)(?<key>\p{L}[^:;|*.!?\n]{0,39}?)(?:\*\*)?:(?:\*\*)?[ \t]+(?<value>\S.*)$/u
/** "- Bird: Owl; Legs: 2", "Bird: Owl; Legs: 2", "name: gull, count: 9". */
const PART = /(?:^|[;,] +)(?<key>\p{L}[^:;,|.!?\n]{0,39}): +(?<value>(?:(?![;,] +\p{L}[^:;,|.!?\n]{0,39}: )[^\n])+)/gu
const ITEM = /^[ \t]*(?:[-*+•] +)?/u
const ROW = /^[ \t]*\|(?<cells>.*)\|[ \t]*$/u
const RULE = /^[ \t]*\|[\s:|-]+\|[ \t]*$/u
const CELL = /(?:\\\||[^|])+/gu
const MIN_FIELDS = 2
/** A speaker has a label, too. */
const SAID = /[.!?…]["”’)]*$/u

interface Line extends Span {
  readonly text: string
}

export function recordsIn(text: string): TextRecord[] {
  const lines = linesIn(text)
  return [...tables(lines), ...blocks(lines)].sort((a, b) => a.start - b.start)
}

function linesIn(text: string): Line[] {
  let at = 0
  return text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    return { start, end: start + line.length, text: line }
  })
}

function* tables(lines: readonly Line[]): Generator<TextRecord> {
  let head: readonly Field[] = []
  for (const [i, line] of lines.entries()) {
    if (!ROW.test(line.text)) head = []
    else if (RULE.test(lines[i + 1]?.text ?? '') && !RULE.test(line.text)) head = cellsOf(line)
    else if (!RULE.test(line.text) && head.length > 0) {
      const cells = cellsOf(line)
      const fields = cells.flatMap((cell, n) => (cell.value === '' || !head[n]?.value ? [] : [{ ...cell, key: head[n].value }]))
      if (fields.length >= MIN_FIELDS) yield { fields, ...trimmed(line) }
    }
  }
}

function cellsOf(line: Line): Field[] {
  const from = line.text.indexOf('|') + 1
  return [...(ROW.exec(line.text)?.groups?.cells ?? '').matchAll(CELL)].map((match) => {
    const value = match[0].trim()
    const start = line.start + from + match.index + (match[0].length - match[0].trimStart().length)
    const at = { start, end: start + value.length }
    return { key: '', value, at, whole: at }
  })
}

/** Consecutive lines of one field each, with no label twice; or a line of several fields. */
function* blocks(lines: readonly Line[]): Generator<TextRecord> {
  let open: Field[] = []
  for (const line of [...lines, { start: 0, end: 0, text: '' }]) {
    const several = partsOf(line)
    const one = several.length >= MIN_FIELDS ? undefined : fieldOf(line)
    const isNew = one === undefined || open.some(({ key }) => key.toLowerCase() === one.key.toLowerCase())
    const [first] = open
    const last = open[open.length - 1]
    if (isNew && first && last) {
      if (open.filter(({ value }) => !SAID.test(value)).length >= MIN_FIELDS)
        yield { fields: open, start: first.whole.start, end: last.whole.end }
      open = []
    }
    if (several.length >= MIN_FIELDS) {
      const begin = line.start + (ITEM.exec(line.text)?.[0].length ?? 0)
      yield { fields: several, start: begin, end: line.end }
    } else if (one) open.push(one)
  }
}

function fieldOf(line: Line): Field | undefined {
  const { before = '', key = '', value: written = '' } = FIELD.exec(line.text)?.groups ?? {}
  const value = written.trimEnd()
  if (key === '' || value === '') return undefined
  const start = line.start + line.text.lastIndexOf(value)
  return {
    key: key.trim(),
    value,
    at: { start, end: start + value.length },
    whole: { start: line.start + before.length, end: start + value.length },
  }
}

function partsOf(line: Line): Field[] {
  const skipped = ITEM.exec(line.text)?.[0].length ?? 0
  const body = line.text.slice(skipped)
  const parts = [...body.matchAll(PART)]
  // Prose may have a colon: text that is not a list of fields has words before the first label, or a label twice.
  if (parts.length < MIN_FIELDS || parts[0]?.index !== 0) return []
  return parts.map((match) => {
    const { key = '', value = '' } = match.groups ?? {}
    const own = value.trimEnd().replace(/[.;,]$/u, '')
    const start = line.start + skipped + match.index + match[0].length - value.length
    const at = { start, end: start + own.length }
    return { key: key.trim(), value: own, at, whole: { start: start - key.length - 2, end: at.end } }
  })
}

function trimmed({ start, text }: Line): Span {
  const begin = start + (text.length - text.trimStart().length)
  return { start: begin, end: begin + text.trim().length }
}
