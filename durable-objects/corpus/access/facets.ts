/** Which documents a caller's filter admits: metadata by (key, value), looked up, never scanned. */
import type { Json } from '../../../src/core/graph/types'
import type { Filters } from '../../../src/ports/retrieval'
import type { Sql } from '../../sql'
import { deleteFacets, type Facet, insertFacets, listDocumentsWith } from '../tables/facet'
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

/** `metadata` is what was recorded: rows are deleted by their key, not searched for. */
export function forgetFacets(sql: Sql, document: string, metadata: string): void {
  deleteFacets(sql, document, facetsOf(metadata))
}

/** The documents admitted, or undefined where nothing is filtered. Keys are joined by AND, the values of a key by OR. */
export function admitted(sql: Sql, filters: Omit<Filters, 'saved'> | undefined): Set<string> | undefined {
  if (!filters) return undefined
  let found: Set<string> | undefined = filters.document && new Set(filters.document)
  for (const [key, wanted] of Object.entries(filters.metadata ?? {})) {
    const values = (Array.isArray(wanted) ? (wanted as readonly Json[]) : [wanted]).map((one) => JSON.stringify(one))
    const here = new Set(listDocumentsWith(sql, key, values))
    found = found ? new Set([...found].filter((one) => here.has(one))) : here
  }
  if (filters.language) {
    const here = new Set(listDocumentsIn(sql, filters.language))
    found = found ? new Set([...found].filter((one) => here.has(one))) : here
  }
  return found
}
