/** Filters under a name: stored, shown to those who may see what they name, and combined with a question's own filters. */
import type { Asker } from '../../../src/core/access/labels'
import type { Filters, SavedFilter } from '../../../src/ports/retrieval'
import { admitted } from '../access/facets'
import type { CorpusContext } from '../store'
import {
  countSavedFilters,
  deleteSavedFilter,
  listSavedFilters,
  readSavedFilter,
  renameSavedFilter,
  type SavedFilterRow,
  writeSavedFilter,
} from '../tables/saved-filter'
import { readableBy } from './visibility'

const MAX_FILTERS = 100 // per corpus: they are listed on one page

export function putFilter({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>, name: string, filters: Filters): SavedFilter | 'too_many' {
  if (!readSavedFilter(sql, name) && countSavedFilters(sql) >= MAX_FILTERS) return 'too_many'
  const changed = now()
  writeSavedFilter(sql, { name, filters: JSON.stringify(filters), changed })
  return { name, filters, changed }
}

/** Documents that the asker may not read are not named. */
export function savedFilters(context: CorpusContext, asker: Asker | undefined): SavedFilter[] {
  const sight = readableBy(context, asker)
  return listSavedFilters(context.sql).map((row) => {
    const { document, ...filters } = filtersOf(row)
    const shown = document?.filter((id) => !sight || sight.document(id))
    return { name: row.name, filters: { ...filters, ...(shown ? { document: shown } : {}) }, changed: row.changed }
  })
}

/** It filters as before, including by documents that the person who renames it may not read. */
export function renameFilter(
  { sql, now }: Pick<CorpusContext, 'sql' | 'now'>,
  { from, to }: { readonly from: string; readonly to: string },
): 'done' | 'missing' | 'taken' {
  if (!readSavedFilter(sql, from)) return 'missing'
  if (from === to) return 'done'
  if (readSavedFilter(sql, to)) return 'taken'
  renameSavedFilter(sql, { from, to, changed: now() })
  return 'done'
}

export function dropFilter({ sql }: Pick<CorpusContext, 'sql'>, name: string): 'done' | 'missing' {
  return deleteSavedFilter(sql, name) ? 'done' : 'missing'
}

/**
 * The documents admitted by a question's own filter together with those it calls by name; undefined: all. `missing`: there is none with
 * that name.
 */
export function admittedBySaved(
  { sql, graph }: Pick<CorpusContext, 'sql' | 'graph'>,
  filters: Filters | undefined,
): Set<string> | undefined | { readonly missing: string } {
  const everything = (): Iterable<string> => allDocuments(graph)
  const own = admitted(sql, filters, everything)
  let found = own
  for (const name of filters?.saved ?? []) {
    const row = readSavedFilter(sql, name)
    if (!row) return { missing: name }
    const here = admitted(sql, filtersOf(row), everything)
    found = found && here ? new Set([...found].filter((one) => here.has(one))) : (found ?? here)
  }
  return found
}

const PAGE = 1000 // ids read at once

function* allDocuments(graph: Pick<CorpusContext['graph'], 'page'>): Generator<string, void, void> {
  for (let ids = graph.page('document', '', PAGE); ids.length > 0; ids = graph.page('document', ids.at(-1) ?? '', PAGE)) yield* ids
}

const filtersOf = ({ filters }: SavedFilterRow): Filters => JSON.parse(filters) as Filters
