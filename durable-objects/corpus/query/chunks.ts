/** A page of a document's chunks: where each is in the file it was read from, what read it, and what it mentions. Reads only what is on the page. */
import type { DocumentChunk, DocumentChunks } from '../../../src/contract/chunks'
import type { Asker } from '../../../src/core/access/labels'
import { KNOWLEDGE, type Knowledge, knowledgeOf } from '../../../src/core/builders/knowledge-row'
import { MENTIONS, mentionsOf } from '../../../src/core/builders/mention-list'
import { WRITTEN, writtenUnits } from '../../../src/core/builders/units'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Placed } from '../../../src/core/graph/types'
import { pageOf } from '../../../src/core/page'
import { locationOf, type Outline } from '../../../src/core/text/outline'
import { mayRead } from '../access/readable'
import type { CorpusContext, Store } from '../store'
import { readOutline } from '../tables/outline'
import { hasQuarantinedOfKind } from '../tables/quarantine'
import { readLiveRevisionWithoutText, readNewestRevision } from '../tables/revision'
import { readableBy, visibleGraph } from './visibility'

const MAX_ENTITIES = 50 // per chunk; it has 33 from its sentences, and 16 more if a model has read it

export interface ChunksPlace {
  /** The ordinal of the first. */
  readonly from: number
  readonly limit: number
}

/** From the served content; the cursor is the ordinal of the last. Null: there is no such document for the asker. */
export function listChunks(context: CorpusContext, id: string, { from, limit }: ChunksPlace, asker?: Asker): DocumentChunks | null {
  if (!readNewestRevision(context.sql, id) || !mayRead(context, id, asker)) return null
  const live = readLiveRevisionWithoutText(context.sql, id)
  if (!live) return { data: [], next_cursor: null, content_version: 0 }
  const graph = visibleGraph(context, readableBy(context, asker))
  const placed = (JSON.parse(live.placed) as Placed[]).slice(from, from + limit + 1)
  const rows = placed.map((one, i) => ({ ...one, ordinal: from + i }))
  const page = pageOf(rows, limit, (last) => String(last.ordinal))
  preload(
    graph,
    page.data.map(({ chunk }) => chunk),
  )
  const outline = readOutline(context.sql, live.n)
  const data = page.data.flatMap((one) => viewOf({ sql: context.sql, graph, outline, url: live.url }, one) ?? [])
  return { data, next_cursor: page.next_cursor, content_version: live.content_version }
}

function preload(graph: GraphReader, chunks: readonly string[]): void {
  graph.preload?.({ values: [MENTIONS, KNOWLEDGE, WRITTEN].map((space) => ({ space, keys: chunks })) })
  graph.preload?.({ nodes: [...new Set(chunks.flatMap((id) => mentionsOf(graph, id).map(({ entity }) => entity)))] })
}

interface Reading extends Pick<Store, 'sql'> {
  readonly graph: GraphReader
  readonly outline: Outline
  readonly url: string | null
}

function viewOf({ sql, graph, outline, url }: Reading, { chunk: id, start, ordinal }: Placed & { readonly ordinal: number }) {
  const chunk = graph.chunk(id)
  if (!chunk) return undefined
  const { text, own, passages } = chunk
  const between = (from: number, to: number): string => text.slice(Math.max(0, from - start), to - start)
  const end = start + text.length
  return {
    chunk: id,
    ordinal,
    start,
    end,
    text,
    ...locationOf(outline, { start: start + own, end, url, between }), // the part repeated from the previous chunk belongs under that chunk's heading
    passages: passages.length,
    read: { by: readerOf(graph, id), ...partialOf({ sql }, graph, id) },
    entities: entitiesOf(graph, id),
  } satisfies DocumentChunk
}

function readerOf(graph: GraphReader, chunk: string): DocumentChunk['read']['by'] {
  const by = knowledgeOf(graph, chunk)?.by
  if (by === 'brought') return by
  return by === 'model' || writtenUnits(graph, chunk).length > 0 ? 'model' : 'rules'
}

function partialOf({ sql }: Pick<Store, 'sql'>, graph: GraphReader, chunk: string): Pick<DocumentChunk['read'], 'partial'> {
  if (hasQuarantinedOfKind(sql, chunk, 'embed')) return { partial: 'embed' }
  const isUnread = knowledgeOf(graph, chunk)?.by === 'unusable' || hasQuarantinedOfKind(sql, chunk, 'extract')
  return isUnread ? { partial: 'extract' } : {}
}

function entitiesOf(graph: GraphReader, chunk: string): DocumentChunk['entities'] {
  const told = knowledgeOf(graph, chunk)
  const said = [...mentionsOf(graph, chunk)].sort((a, b) => b.units.length - a.units.length || (a.entity < b.entity ? -1 : 1))
  return said.slice(0, MAX_ENTITIES).flatMap(({ entity }) => {
    const node = graph.node(entity)
    return node ? [{ id: entity, name: node.text, ...typeOf(told, entity) }] : []
  })
}

function typeOf(told: Knowledge | undefined, entity: string): { readonly type?: string } {
  const type = told?.entities.find((one) => one.entity === entity)?.type
  return type ? { type } : {}
}
