/** Which documents a caller's filter admits: metadata by (key, value), looked up, never scanned. */
import { conditionOf, type Scalar } from '../../../src/core/condition'
import type { Json } from '../../../src/core/graph/types'
import type { Filters } from '../../../src/ports/retrieval'
import type { Sql } from '../../sql'
import { deleteFacets, type Facet, insertFacets, listDocumentsWith, listDocumentsWithin } from '../tables/facet'
import { listDocumentsIn } from '../tables/spoken'

/** Scalars, and scalars in lists, can be filtered by; deeper values are only returned. */
function facetsOf(metadata: string): Facet[] {
  return Object.entries(JSON.parse(metadata) as { [key: string]: Json }).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value])
      .filter((one) => one === null || typeof one !== 'object')
      .map((one): Facet => [key, JSON.stringify(one)]),
  )
}

export function recordFacets(sql: Sql, document: string, metadata: string): void {
  insertFacets(sql, document, facetsOf(metadata))
}

/** `metadata`: as recorded; rows are deleted by their key, not searched for. */
export function forgetFacets(sql: Sql, document: string, metadata: string): void {
  deleteFacets(sql, document, facetsOf(metadata))
}

/**
 * The documents admitted, or undefined if nothing is filtered. Keys are joined by AND, the values of a key by OR. `everything`: the ids of all documents,
 * needed if a filter says only what they must not have.
 */
export function admitted(
  sql: Sql,
  filters: Omit<Filters, 'saved'> | undefined,
  everything: () => Iterable<string>,
): Set<string> | undefined {
  if (!filters) return undefined
  const sets: Set<string>[] = filters.document ? [new Set(filters.document)] : []
  const excluded: string[] = []
  for (const [key, wanted] of Object.entries(filters.metadata ?? {})) {
    const { in: any, not, within } = conditionOf(wanted)
    if (any) sets.push(new Set(listDocumentsWith(sql, key, any.map(inJson))))
    if (within) sets.push(new Set(listDocumentsWithin(sql, key, within)))
    if (not) excluded.push(...listDocumentsWith(sql, key, not.map(inJson)))
  }
  if (filters.language) sets.push(new Set(listDocumentsIn(sql, filters.language)))
  const isFiltered = sets.length > 0 || Object.keys(filters.metadata ?? {}).length > 0
  if (!isFiltered) return undefined
  const found = sets.length > 0 ? sets.reduce((all, here) => new Set([...all].filter((one) => here.has(one)))) : new Set(everything())
  for (const one of excluded) found.delete(one)
  return found
}

const inJson = (value: Scalar): string => JSON.stringify(value)
