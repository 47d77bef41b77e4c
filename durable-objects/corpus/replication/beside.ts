/**
 * What is known about a document apart from the graph: read at the writer, and written at replicas. Only what questions read: a document as it was sent,
 * its text and its own graph (tables/brought.ts) among it, is always asked of the writer; what of that graph counts is in the chunks.
 */

import type { Json } from '../../../src/core/graph/types'
import { isLanguage } from '../../../src/core/text/languages'
import { forgetFacets, recordFacets } from '../access/facets'
import type { Store } from '../store'
import { deleteDated, insertDated, readDated } from '../tables/dated'
import { deleteEarlierOf, insertEarlier, listEarlier, listRemoved } from '../tables/earlier'
import { insertOutline, readStoredOutline } from '../tables/outline'
import { deleteRevision, insertRevision, readLiveRevisionWithoutText, setRevisionLive } from '../tables/revision'
import { deleteSpoken, insertSpoken, listLanguagesOf } from '../tables/spoken'
import type { Beside } from './changes'

const ALL = -1 // as a limit

export function besideOf({ sql, graph }: Pick<Store, 'sql' | 'graph'>, document: string): Beside | null {
  const revision = readLiveRevisionWithoutText(sql, document)
  if (!revision) return null
  const [spoken] = listLanguagesOf(sql, [document])
  const outline = readStoredOutline(sql, revision.n)
  return {
    access: graph.access.labelsOf(document),
    active: graph.access.isActive(document),
    metadata: revision.metadata,
    language: spoken?.[1] ?? null,
    dated: readDated(sql, document) ?? null,
    earlier: [...listEarlier(sql, [document], 0), ...listRemoved(sql, [document], 0, ALL)].map(({ n: _, ...row }) => row),
    outline: outline ? { given: JSON.parse(outline.given) as Json, found: JSON.parse(outline.found) as Json } : null,
  }
}

/** Before the document's chunks are in the graph, or followed by a change to it. Its version here has no text: that is in its chunks. */
export function applyBeside({ sql, graph }: Pick<Store, 'sql' | 'graph'>, document: string, beside: Beside | null, version: number): void {
  const old = readLiveRevisionWithoutText(sql, document)
  if (old) {
    forgetFacets(sql, document, old.metadata)
    deleteSpoken(sql, old.language, document)
    deleteRevision(sql, old.n)
  }
  deleteDated(sql, document)
  deleteEarlierOf(sql, [document])
  graph.access.assign(document, beside?.access ?? [], beside?.active ?? true)
  if (!beside) return
  const { metadata, language, dated, earlier, outline } = beside
  const n = insertRevision(sql, {
    ...{ document, content_version: 1, hash: '', title: '', name: '', url: null, metadata, text: '', placed: '[]', job: 0 },
    ...{
      access: JSON.stringify(beside.access),
      active: Number(beside.active),
      dates: dated?.dates ?? '{}',
      language: language ?? '',
      source: '',
      accepted_at: 0,
    },
  })
  setRevisionLive(sql, n, version)
  recordFacets(sql, document, metadata)
  if (dated) insertDated(sql, dated)
  for (const row of [...earlier].reverse()) insertEarlier(sql, row) // the latest has the highest number, as with the writer
  if (outline) insertOutline(sql, n, outline as unknown as Parameters<typeof insertOutline>[2])
  if (isLanguage(language ?? '')) insertSpoken(sql, language ?? '', document)
}
