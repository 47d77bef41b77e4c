/** A backup as lines: written part by part, and read back with every digest checked. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { z } from 'zod'
import { base64, bytesOfBase64 } from '../base64'
import { type BackupHead, backupEnd, backupHead, backupNext, backupPart, backupTable } from '../contract/backups'
import type { Cell, Section } from '../ports/backup'
import { utf8 } from './body'
import { type Fault, Problem } from './problem'
import { faultsOf } from './schema-faults'

const NEWLINE = 0x0a
const MAX_BYTES_OF_CELL = 2 * 1024 * 1024 // what a row of the object may have

/** The digest over the lines of a part except the last, preceded by the digest of the part before. */
export class PartDigest {
  readonly #hash = sha256.create()

  constructor(before: string) {
    this.#hash.update(utf8ToBytes(`${before}\n`))
  }
  add(line: string | Uint8Array): void {
    this.#hash.update(typeof line === 'string' ? utf8ToBytes(line) : line)
  }
  hex(): string {
    return bytesToHex(this.#hash.clone().digest())
  }
}

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** The lines of a section. */
export function* sectionLines({ table, columns, rows }: Section): Generator<string> {
  if (rows.length === 0) return
  yield lineOf({ type: 'table', table, columns })
  for (const row of rows)
    yield `${JSON.stringify(row.map((cell) => (cell instanceof ArrayBuffer ? { b: base64(new Uint8Array(cell)) } : cell)))}\n`
}

export interface ParsedPart {
  readonly head?: BackupHead
  readonly backup: string
  readonly part: number
  readonly before: string
  /** Whose rows they are, in a backup of a corpus in partitions. */
  readonly of?: { readonly partition: number; readonly first: number }
  readonly digest: string
  readonly sections: readonly Section[]
  readonly end?: { readonly [table: string]: number }
}

type Mutable = { table: string; columns: readonly string[]; rows: Cell[][] }

/** Throws a Problem that names the line. */
export function parsePart(bytes: Uint8Array): ParsedPart {
  const lines = [...rangesOf(bytes)]
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) throw refuse(1, 'a part needs a first and a last line')
  const begin = parsedLine(bytes, first, 1)
  const head = typeOf(begin) === 'backup' ? parsed(backupHead, begin, 1) : undefined
  const own = head ? { backup: head.backup, part: 1, before: '', of: undefined } : parsed(backupPart, begin, 1)
  if (lines.length < 2) throw refuse(1, 'a part needs a first and a last line')
  const close = parsedLine(bytes, last, lines.length)
  const tail = typeOf(close) === 'end' ? parsed(backupEnd, close, lines.length) : parsed(backupNext, close, lines.length)
  const digest = new PartDigest(own.before)
  digest.add(bytes.subarray(0, last.from))
  if (digest.hex() !== tail.digest)
    throw refuse(lines.length, 'the digest does not match the lines before it: the part was altered or cut off')
  const sections: Mutable[] = []
  for (let i = 1; i < lines.length - 1; i++) {
    const value = parsedLine(bytes, lines[i] as Range, i + 1)
    if (!Array.isArray(value)) {
      const { table, columns } = parsed(backupTable, value, i + 1)
      sections.push({ table, columns, rows: [] })
      continue
    }
    const section = sections.at(-1)
    if (!section || value.length !== section.columns.length) throw refuse(i + 1, 'is not a row of a table named before it')
    section.rows.push(value.map((cell) => cellOf(cell, i + 1)))
  }
  const { backup, part, before, of } = own
  const end = tail.rows ? { end: tail.rows } : {}
  return { ...(head ? { head } : {}), backup, part, before, ...(of ? { of } : {}), digest: tail.digest, sections, ...end }
}

interface Range {
  readonly from: number
  readonly to: number
}

function* rangesOf(bytes: Uint8Array): Generator<Range> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    const to = end < 0 ? bytes.length : end
    if (to > from) yield { from, to }
    from = to + 1
  }
}

function parsedLine(bytes: Uint8Array, { from, to }: Range, line: number): unknown {
  try {
    return JSON.parse(utf8(bytes.subarray(from, to)))
  } catch {
    throw refuse(line, 'is not JSON')
  }
}

const typeOf = (value: unknown): unknown => (typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined)

function parsed<T extends z.ZodType>(schema: T, value: unknown, line: number): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refused(result.error.issues.flatMap(faultsOf).map(({ path, message }) => ({ path: `line ${line}${path && `.${path}`}`, message })))
}

function cellOf(value: unknown, line: number): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'object' && 'b' in value && typeof value.b === 'string' && value.b.length <= 2 * MAX_BYTES_OF_CELL) {
    const bytes = bytesOfBase64(value.b)
    if (!bytes) throw refuse(line, 'contains bytes that are not base64')
    return bytes.buffer
  }
  throw refuse(line, 'contains a value that no row can have')
}

const refuse = (line: number, message: string): Problem => refused([{ path: `line ${line}`, message }])

function refused(errors: readonly Fault[]): Problem {
  return new Problem('invalid', 'This is not a part of a backup, or it was altered.', { errors })
}
