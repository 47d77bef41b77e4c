/** What the outbox sends, as rows of D1: one per document, chunk, node and edge; each key once, the last one winning. */
import { foldedName } from '../../core/graph/listed'
import type { Chunk, DocumentRecord, Edge, Json } from '../../core/graph/types'
import type { Published } from '../../ports/read-model'

export type TableName = 'document' | 'chunk' | 'node' | 'edge'

export interface RowChange {
  readonly table: TableName
  readonly op: 'put' | 'drop'
  readonly row: { readonly [column: string]: Json }
}

export function rowChanges(changes: readonly Published[]): RowChange[] {
  const last = new Map<string, RowChange>()
  for (const change of changes) {
    const made = rowChange(change)
    const { id, kind, source, target } = made.row
    last.set(JSON.stringify([made.table, id ?? [kind, source, target]]), made)
  }
  return [...last.values()]
}

function rowChange(change: Published): RowChange {
  switch (change.op) {
    case 'put-document':
      return { table: 'document', op: 'put', row: documentRow(change.document) }
    case 'drop-document':
      return { table: 'document', op: 'drop', row: { id: change.id } }
    case 'put-chunk':
      return { table: 'chunk', op: 'put', row: chunkRow(change.chunk) }
    case 'drop-chunk':
      return { table: 'chunk', op: 'drop', row: { id: change.id } }
    case 'put-node':
      return { table: 'node', op: 'put', row: { ...nodeRow(change.node), bearer: change.bearer ?? null } }
    case 'drop-node':
      return { table: 'node', op: 'drop', row: { id: change.id } }
    case 'put-edge':
      return { table: 'edge', op: 'put', row: edgeRow(change.edge) }
    case 'drop-edge':
      return { table: 'edge', op: 'drop', row: { kind: change.kind, source: change.source, target: change.target } }
  }
}

function documentRow({ id, title, name, url, metadata, chunks }: DocumentRecord): RowChange['row'] {
  return { id, title, name, url, metadata, chunks: chunks.map(({ chunk, start }) => ({ chunk, start })) }
}

function chunkRow({ id, title, text, tokens, own }: Chunk): RowChange['row'] {
  return { id, title, text, tokens, own }
}

function nodeRow(node: Extract<Published, { op: 'put-node' }>['node']): RowChange['row'] {
  const { id, kind, layer, text, tokens, stale, data } = node
  const folded = kind === 'entity' ? foldedName(text) : null
  return { id, kind, layer, text, tokens, stale: stale ? 1 : 0, data, folded }
}

function edgeRow({ kind, source, target, weight, data }: Edge): RowChange['row'] {
  return { kind, source, target, weight, ...(data === undefined ? {} : { data }) }
}
