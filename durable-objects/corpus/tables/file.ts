/**
 * The files that documents were read from, byte for byte: of each version in parts, because a row is limited. Separate from the version's row, which is
 * read without it. How many bytes there are in all is counted beside the rows. All SQL on the table is here.
 */
import type { Sql } from '../../sql'
import { metaKeys, readMeta, writeMeta } from './meta'

/** A step of `schema.ts`; once released it is not changed. All parts of a file but the last have FILE_PART bytes. */
export const CREATE_FILE =
  'CREATE TABLE file (revision INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (revision, part)) WITHOUT ROWID;'

export const FILE_PART = 1024 * 1024 // bytes

export function insertFile(sql: Sql, revision: number, bytes: Uint8Array): void {
  for (const [part, own] of partsOf(bytes).entries())
    sql.run('INSERT INTO file (revision, part, bytes) VALUES (?, ?, ?)', revision, part, own)
  count(sql, bytes.length)
}

/** From the last part alone; the bytes are not read. 0: there is no file. */
export function sizeOfFile(sql: Sql, revision: number): number {
  const last = sql.one<{ part: number; rest: number }>(
    'SELECT part, length(bytes) AS rest FROM file WHERE revision = ? ORDER BY part DESC LIMIT 1',
    revision,
  )
  return last ? last.part * FILE_PART + last.rest : 0
}

export function readFilePart(sql: Sql, revision: number, part: number): Uint8Array<ArrayBuffer> | undefined {
  const row = sql.one<{ bytes: ArrayBuffer }>('SELECT bytes FROM file WHERE revision = ? AND part = ?', revision, part)
  return row && new Uint8Array(row.bytes)
}

/** Undefined: there is no file. */
export function readFile(sql: Sql, revision: number): Uint8Array<ArrayBuffer> | undefined {
  const size = sizeOfFile(sql, revision)
  if (size === 0) return undefined
  const whole = new Uint8Array(size)
  for (let part = 0; part * FILE_PART < size; part++) whole.set(readFilePart(sql, revision, part) ?? new Uint8Array(), part * FILE_PART)
  return whole
}

export function isFile(sql: Sql, revision: number, bytes: Uint8Array): boolean {
  if (sizeOfFile(sql, revision) !== bytes.length) return false
  const same = 'SELECT 1 FROM file WHERE revision = ? AND part = ? AND bytes = ?'
  return [...partsOf(bytes).entries()].every(([part, own]) => sql.one(same, revision, part, own) !== undefined)
}

export function deleteFile(sql: Sql, revision: number): void {
  const size = sizeOfFile(sql, revision)
  if (size === 0) return
  sql.run('DELETE FROM file WHERE revision = ?', revision)
  count(sql, -size)
}

/** Whole files, until there have been this many, or this many bytes. */
export function deleteSomeFiles(sql: Sql, most: { readonly files: number; readonly bytes: number }): void {
  let bytes = 0
  for (let files = 0; files < most.files && bytes < most.bytes; files++) {
    const next = sql.one<{ revision: number }>('SELECT revision FROM file LIMIT 1')
    if (!next) return
    bytes += sizeOfFile(sql, next.revision)
    deleteFile(sql, next.revision)
  }
}

/** Of all versions. */
export const bytesOfFiles = (sql: Sql): number => readMeta(sql, metaKeys.fileBytes) ?? 0

const count = (sql: Sql, bytes: number): void => writeMeta(sql, metaKeys.fileBytes, bytesOfFiles(sql) + bytes)

function partsOf(bytes: Uint8Array): readonly Uint8Array[] {
  const parts = Math.ceil(bytes.length / FILE_PART)
  return Array.from({ length: parts }, (_, part) => bytes.subarray(part * FILE_PART, (part + 1) * FILE_PART))
}
