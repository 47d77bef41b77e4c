/**
 * What a row of the graph contributes to its state (src/core/graph/state.ts), computed from the row alone: for rows restored from a backup.
 */
import { SYMMETRIC } from '../../src/core/graph/reader'
import { chunkRow, documentRow, edgeRow, isExported, nodeRow } from '../../src/core/graph/state'
import { type DerivedKind, type DocumentRecord, EDGE_ENDS, type Json } from '../../src/core/graph/types'
import { kindOf } from '../../src/core/ids'
import { EDGE_KINDS, oneSide, unpackChunk } from './rows'

interface Row {
  readonly [column: string]: string | number | null | ArrayBuffer
}

/** Undefined: it contributes nothing (a table that no export contains, an edge's other end). */
export function exportedRow(table: string, row: Row): string | undefined {
  switch (table) {
    case 'document':
      return documentRow(JSON.parse(String(row.body)) as DocumentRecord)
    case 'chunk':
      return chunkRow(unpackChunk(String(row.id), String(row.body)))
    case 'node': {
      const id = String(row.id)
      return nodeRow({ id, kind: kindOf(id) as DerivedKind, layer: Number(row.layer), ...JSON.parse(String(row.body)) })
    }
    case 'edge':
      return edgeOnce(row)
    default:
      return undefined
  }
}

function edgeOnce({ side, near, far, weight, data }: Row): string | undefined {
  const kind = EDGE_KINDS.find((one) => isExported(one) && oneSide(one) === side)
  const [here, there] = [String(near), String(far)]
  if (!kind || (SYMMETRIC.has(kind) && here > there)) return undefined
  const [source, target] = EDGE_ENDS[kind] === 'target' ? [there, here] : [here, there]
  const edge = { kind, source, target, weight: Number(weight) }
  return edgeRow(data === null ? edge : { ...edge, data: JSON.parse(String(data)) as Json })
}
