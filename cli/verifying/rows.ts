/** What is hashed in an export's lines: the row that each one contains. The table is in docs/verify.md. */
import { canonicalJson } from '../../src/core/canonical-json'
import type { Json } from '../../src/core/graph/types'

/** A parsed line; only that it is an object is certain. */
export interface Line {
  readonly type: string
  readonly [name: string]: Json | undefined
}

const EDGES: ReadonlySet<Json | undefined> = new Set(['relates', 'member', 'indicates', 'links'])

type Parts = readonly (Json | undefined)[]

const PARTS: { readonly [type: string]: (line: Line) => Parts } = {
  document: ({ id, title, url, metadata, chunks }) => [
    'document',
    id,
    title,
    url,
    metadata,
    (chunks as readonly { readonly chunk: string; readonly start: number }[]).map(({ chunk, start }) => [chunk, start]),
  ],
  chunk: ({ id, title, text, tokens, own }) => ['chunk', id, title, text, tokens, own],
  node: ({ id, kind, layer, text, tokens, stale, data }) => ['node', id, kind, layer, text, tokens, stale === true, data],
  edge: ({ kind, source, target, weight, data }) => ['edge', kind, source, target, Math.fround(weight as number), data ?? null],
}

/** Undefined for a line without a row; null for one with missing parts. */
export function rowOf(line: Line): string | null | undefined {
  const partsOf = Object.hasOwn(PARTS, line.type) ? PARTS[line.type] : undefined
  if (!partsOf || (line.type === 'edge' && !EDGES.has(line.kind))) return undefined
  try {
    return canonicalJson(partsOf(line) as Json).replaceAll(/(?:\\ud[89a-f][0-9a-f]{2}|\uFFFD)+/g, '\uFFFD')
  } catch {
    return null
  }
}
