/** May somebody read a document, as it is served and as it will be? Its labels stand with its versions, so also of one that is on its way. */
import { type Asker, reader } from '../../../src/core/access/labels'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Sql } from '../../sql'
import { listAccessAfter, listAccessOf } from '../tables/revision'

interface Holding {
  readonly sql: Sql
  readonly config: Pick<CorpusConfig, 'defaultAccess'>
}

const PAGE = 1000 // versions looked through at a time, along an index that holds their labels

/** Who could read a document that is gone is unknown: administrators alone. */
export function mayRead({ sql, config }: Holding, id: string, asker: Asker = []): boolean {
  if (asker === 'all') return true
  const reads = reader(asker, config.defaultAccess)
  const versions = listAccessOf(sql, id)
  return versions.length > 0 && versions.every((access) => reads(labelsIn(access)))
}

/** Ids after one, at most so many; those of others are passed over. */
export function readableAfter({ sql, config }: Holding, after: string, limit: number, asker: Asker = []): string[] {
  const reads = reader(asker, config.defaultAccess)
  const known = new Map<string, boolean>()
  const verdict = (access: string): boolean => {
    const before = known.get(access) ?? reads(labelsIn(access))
    known.set(access, before)
    return before
  }
  const found: string[] = []
  for (let at = after; found.length < limit; ) {
    const rows = listAccessAfter(sql, at, asker === 'all' ? limit : PAGE)
    found.push(...rows.filter(({ accesses }) => accesses.split('\n').every(verdict)).map((row) => row.id))
    const last = rows.at(-1)
    if (!last || asker === 'all') break
    at = last.id
  }
  return found.slice(0, limit)
}

export const labelsIn = (access: string): readonly string[] => JSON.parse(access) as string[]
