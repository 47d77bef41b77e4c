/**
 * Of which documents the file is kept beside the text. It never decides whether a document is accepted: where there is no room for the file, the text is
 * kept without it.
 */
import { MAX_FILES } from '../../../src/contract/document-limits'
import type { DocumentInput } from '../../../src/ports/documents'
import { LIMITS } from '../limits'
import type { CorpusContext } from '../store'
import { bytesOfFiles, deleteFile, deleteSomeFiles, insertFile, isFile, readFile, sizeOfFile } from '../tables/file'
import type { Revision } from '../tables/revision'

const STORAGE = 0.75 // of what the corpus may hold: the rest is for texts and what is derived from them

const FREED = { files: 1000, bytes: 64 * 1024 * 1024 } as const // in one run of the schedule

type Db = Pick<CorpusContext, 'sql' | 'config' | 'limits'>

const isKept = ({ config }: Pick<Db, 'config'>): boolean => config.settings.files?.keep === true

/** Of the new version. Before the version before it is superseded, which may take its file with it. */
export function fileToKeep(context: Db, { file }: Pick<DocumentInput, 'file'>, before: Revision | undefined): Uint8Array | undefined {
  if (!file || !isKept(context)) return undefined
  if (file === 'same') return before && readFile(context.sql, before.n)
  return hasRoom(context, file.length) ? file : undefined
}

/** The same document has come again: its file may be new. */
export function renewFile(context: Db, { file }: Pick<DocumentInput, 'file'>, { n }: Pick<Revision, 'n'>): void {
  const { sql } = context
  if (!file || file === 'same' || !isKept(context) || isFile(sql, n, file)) return
  deleteFile(sql, n)
  if (hasRoom(context, file.length)) insertFile(sql, n, file)
}

/** The bytes of the version's file; 0: none is shown. */
export function shownFileSize(context: Db, { n }: Pick<Revision, 'n'>): number {
  return isKept(context) ? sizeOfFile(context.sql, n) : 0
}

/** The corpus keeps files no more, and some are still stored. */
export function hasUnkeptFiles(context: Pick<Db, 'sql' | 'config'>): boolean {
  return !isKept(context) && bytesOfFiles(context.sql) > 0
}

/** A limited number at a time: freeing a file takes a look at each of its pages. */
export function expireFiles(context: Pick<Db, 'sql' | 'config'>): void {
  if (hasUnkeptFiles(context)) deleteSomeFiles(context.sql, FREED)
}

function hasRoom({ sql, limits = LIMITS }: Db, bytes: number): boolean {
  return bytesOfFiles(sql) + bytes <= MAX_FILES && sql.size() + bytes <= STORAGE * limits.bytes
}
