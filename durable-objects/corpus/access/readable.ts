/** May an asker read a document, as it is served and as it will be? Its labels are stored with its versions, including one in progress. */
import { type Asker, reader } from '../../../src/core/access/labels'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Sql } from '../../sql'
import { listAccessAfter, listAccessOf } from '../tables/revision'
import { type Looked, lookThrough } from './look-through'

interface Holding {
  readonly sql: Sql
  readonly config: Pick<CorpusConfig, 'defaultAccess'>
}

/** Nobody knows who could read a deleted document: only administrators may. */
export function mayRead({ sql, config }: Holding, id: string, asker: Asker = []): boolean {
  if (asker === 'all') return true
  const reads = reader(asker, config.defaultAccess)
  const versions = listAccessOf(sql, id)
  return versions.length > 0 && versions.every((access) => reads(labelsIn(access)))
}

/** Decides by the label lists of all versions of a document, one per line; each list is checked once. */
export function readsAll({ config }: Pick<Holding, 'config'>, asker: Asker = []): (accesses: string) => boolean {
  const reads = reader(asker, config.defaultAccess)
  const known = new Map<string, boolean>()
  return (accesses) => {
    const verdict = known.get(accesses) ?? accesses.split('\n').every((access) => reads(labelsIn(access)))
    known.set(accesses, verdict)
    return verdict
  }
}

type AccessOfDocument = ReturnType<typeof listAccessAfter>[number]

/** Ids after a given one, up to a limit, and where they continue. */
export function readableAfter(holding: Holding, after: string, limit: number, asker?: Asker): Looked<AccessOfDocument, string> {
  const reads = readsAll(holding, asker)
  const list = {
    behind: (id: string, most: number) => listAccessAfter(holding.sql, id, most),
    isShown: ({ accesses }: AccessOfDocument) => reads(accesses),
    placeOf: ({ id }: AccessOfDocument) => id,
  }
  return lookThrough(list, after, limit)
}

export const labelsIn = (access: string): readonly string[] => JSON.parse(access) as string[]
