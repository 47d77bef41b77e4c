/** What chunks mention, for questions: from the rows of their lists, without the surfaces, which take most of the room. */
import { MENTIONS, withoutSurfaces } from '../../src/core/builders/mention-list'
import type { MentionedIn } from '../../src/core/graph/reader'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import type { Cache, Shelf } from './cache'
import { unpackValue } from './rows'

const AT_ONCE = 500 // lists read together
const LIST = 200 // bytes for a list in memory, about
const MENTION = 110 // and for each mention in it, without its units
const SOME = 'SELECT key, body FROM value WHERE space = ?2 AND key IN (SELECT value FROM json_each(?1))'

export class MentionedLists {
  readonly #sql: Sql
  readonly #lists: Shelf

  constructor(sql: Sql, cache: Cache) {
    this.#sql = sql
    this.#lists = cache.shelf('mentioned')
  }

  of(chunk: string): readonly MentionedIn[] {
    if (!this.#lists.has(chunk)) this.preload([chunk])
    return this.#lists.held<readonly MentionedIn[]>(chunk) ?? this.#read([chunk]).get(chunk) ?? []
  }

  preload(chunks: readonly string[]): void {
    const missing = distinct(chunks.filter((chunk) => !this.#lists.has(chunk)))
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE)
      const found = this.#read(some)
      for (const chunk of some) {
        const list = found.get(chunk) ?? []
        this.#lists.set(chunk, list, bytesOf(list))
      }
    }
  }

  /** Its list was written or removed. */
  forget(chunk: string): void {
    this.#lists.drop(chunk)
  }

  #read(chunks: readonly string[]): ReadonlyMap<string, readonly MentionedIn[]> {
    const rows = this.#sql.all<{ key: string; body: string | ArrayBuffer }>(SOME, JSON.stringify(chunks), MENTIONS)
    return new Map(rows.map(({ key, body }) => [key, withoutSurfaces(unpackValue(body))]))
  }
}

function bytesOf(list: readonly MentionedIn[]): number {
  return list.reduce((sum, { units }) => sum + MENTION + 8 * units.length, LIST)
}
