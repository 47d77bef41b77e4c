/**
 * A stand-in for the platform's memory of an object's SQLite: states that a test told it to remember, each under its time. As documented: a
 * bookmark names the last state at or before a time; what is restored is the whole storage, at the beginning of the next session and not before.
 * https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/#pitr-point-in-time-recovery-api
 */
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type SqliteDatabase } from '../../node-sqlite'

export interface Past {
  remember(db: SqliteDatabase, at: number): void
  bookmarkAt(time: number): string
  restoreNext(bookmark: string): string
  /** A session begins: what its storage is now; undefined: what it was. */
  wake(): SqliteDatabase | undefined
}

export function past(): Past {
  const folder = mkdtempSync(join(tmpdir(), 'loam-past-'))
  const states: { readonly at: number; readonly file: string }[] = []
  let [next, opened]: [number | undefined, number] = [undefined, 0]
  return {
    remember(db, at) {
      const file = join(folder, `${states.length}.sqlite`)
      db.prepare('VACUUM INTO ?').run(file)
      states.push({ at, file })
    },
    bookmarkAt(time) {
      const n = states.findLastIndex(({ at }) => at <= time)
      if (n < 0) throw new Error('there is no bookmark for a time before the storage was made')
      return `b-${n}`
    },
    restoreNext(bookmark) {
      next = Number(bookmark.slice(2))
      return `b-${states.length}`
    },
    wake() {
      const state = next === undefined ? undefined : states[next]
      next = undefined
      if (!state) return undefined
      const file = join(folder, `open-${opened++}.sqlite`)
      copyFileSync(state.file, file)
      return openDatabase(file)
    },
  }
}
