/**
 * A backup in parts: each is one response of about 4 MiB, which ends with a mark that says where to continue. An interrupted download
 * is cut back to the last complete part, whose mark continues from there: the file is the same as if nothing had happened.
 */

import { type BackupHead, NO_DIGEST } from '../contract/backups'
import { sha256Hex } from '../core/algorithms/sha256'
import { type BackupMark, type BackupPage, type BackupPlace, type BackupStart, type Cell, OWN_OBJECT, type Section } from '../ports/backup'
import type { HookRecord } from '../ports/hooks'
import type { CorpusObject } from '../ports/object'
import { lineOf, PartDigest, sectionLines } from './backup-lines'
import { Problem } from './problem'

export const limits = { characters: 4 * 1024 * 1024, rows: 30_000 } as const // of a part; it is restored in one transaction

/** Where a part begins. */
export interface BackupCursor {
  readonly uid: string
  readonly backup: string
  readonly part: number
  readonly before: string
  /** Absent: at the beginning of an object. */
  readonly place?: BackupPlace
  readonly mark?: BackupMark
  readonly rows: { readonly [table: string]: number }
  /** In a corpus in partitions. */
  readonly of?: Reading
}

/** Which object is read, the part with which it begins, and hashes of the states that it and those after it had when the backup began. */
interface Reading {
  readonly object: number
  readonly first: number
  readonly marks: readonly string[]
}

/** Undefined: not of a backup of this corpus. */
export function readBackupCursor(text: string, uid: string): BackupCursor | undefined {
  try {
    const cursor = JSON.parse(text) as BackupCursor
    return cursor.uid === uid && Number.isInteger(cursor.part) && (cursor.of || typeof cursor.place?.table === 'string')
      ? cursor
      : undefined
  } catch {
    return undefined
  }
}

export interface BackupSource {
  readonly uid: string
  readonly object: Pick<CorpusObject, 'backupPage' | 'backupStarts'>
  /** How many; 0: the corpus has none. */
  readonly partitions: number
  /** Of the first part. `starts`: in a corpus in partitions, of all objects. */
  readonly head: (mark: BackupMark, starts?: readonly BackupStart[]) => BackupHead
  readonly hooks: () => Promise<readonly HookRecord[]>
}

/** The first page is read before anything is sent, so that an obstacle can still be reported by the status. */
export async function backupPart(
  { uid, object, partitions, head, hooks }: BackupSource,
  from: BackupCursor | undefined,
  encode: (cursor: string) => string,
  bounds: { readonly [bound in keyof typeof limits]: number } = limits,
): Promise<AsyncGenerator<string, void, void>> {
  const starts = from || partitions === 0 ? undefined : ((await object.backupStarts()) ?? fail('busy'))
  const of = from?.of ?? (starts && { object: 0, first: 1, marks: starts.map(({ mark }) => markHash(mark)) })
  const at = from?.place && from.mark ? { place: from.place, mark: from.mark } : null
  const first = requirePage(await object.backupPage(at, of?.object))
  if (of && markHash(first.mark) !== of.marks[0]) fail('changed')
  const about = from ? undefined : head(first.mark, starts)
  const backup = from?.backup ?? about?.backup ?? ''
  const part = from?.part ?? 1
  const before = from?.before ?? NO_DIGEST
  const own = from ? [] : [hookSection(await hooks())]
  async function* lines(): AsyncGenerator<string, void, void> {
    const digest = new PartDigest(before)
    const counts: { [table: string]: number } = { ...from?.rows }
    let [characters, rows] = [0, 0]
    const written = (line: string): string => {
      digest.add(line)
      characters += line.length
      return line
    }
    const whose = of && { of: { partition: of.object === partitions ? OWN_OBJECT : of.object, first: of.first } }
    yield written(lineOf(about ?? { type: 'part', backup, part, before, ...whose }))
    for (const section of own) for (const line of sectionLines(section)) yield written(line)
    for (let page = first; ; ) {
      for (const section of page.sections) {
        for (const line of sectionLines(section)) yield written(line)
        rows += section.rows.length
        counts[section.table] = (counts[section.table] ?? 0) + section.rows.length
      }
      const { next, mark } = page
      const cursorTo = (more: Pick<BackupCursor, 'rows'> & Partial<BackupCursor>): string =>
        encode(JSON.stringify({ uid, backup, part: part + 1, before: digest.hex(), ...(of ? { of } : {}), ...more } satisfies BackupCursor))
      if (!next && of && of.marks.length > 1) {
        const cursor = cursorTo({ rows: {}, of: { object: of.object + 1, first: part + 1, marks: of.marks.slice(1) } })
        return yield lineOf({ type: 'next', digest: digest.hex(), cursor, rows: counts })
      }
      if (!next) return yield lineOf({ type: 'end', digest: digest.hex(), rows: counts })
      if (characters >= bounds.characters || rows >= bounds.rows) {
        return yield lineOf({ type: 'next', digest: digest.hex(), cursor: cursorTo({ place: next, mark, rows: counts }) })
      }
      page = requirePage(await object.backupPage({ place: next, mark }, of?.object))
    }
  }
  return lines()
}

function requirePage(page: BackupPage): Extract<BackupPage, { kind: 'page' }> {
  return page.kind === 'page' ? page : fail(page.kind)
}

function fail(kind: Exclude<BackupPage['kind'], 'page'>): never {
  if (kind === 'changed') throw new Problem('conflict', 'The corpus has changed since this backup was started. Start again.')
  const detail = 'The corpus is busy. A backup can be taken only while it is at rest (`settled`, or waiting for a budget or a model).'
  throw new Problem('overloaded', detail, { retryAfter: 5 })
}

const markHash = (mark: BackupMark): string => sha256Hex(JSON.stringify(mark)).slice(0, 16) // of 65 objects in one address

const HOOK_COLUMNS = ['id', 'preset', 'mapping', 'created', 'access', 'signature', 'source'] as const

const cellOf = (value: HookRecord[(typeof HOOK_COLUMNS)[number]]): Cell =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : value

/** The secrets that senders sign with are in no backup. */
function hookSection(records: readonly HookRecord[]): Section {
  return {
    table: 'hook',
    columns: HOOK_COLUMNS,
    rows: records.map((one) => HOOK_COLUMNS.map((column) => cellOf(one[column]))),
  }
}
