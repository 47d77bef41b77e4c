/**
 * The neighbourhood of a node, breadth first, both ways. Documents and chunks are nodes here too: a document contains its chunks.
 * At most `limit` nodes; edges only between nodes that are shown.
 */
import type { D1Database } from '@cloudflare/workers-types'
import type { ListedEdge, ListedNode, Neighbourhood } from '../../core/graph/listed'
import type { CorpusObject } from '../../ports/object'
import { LISTED, type NodeRow, nodeOf } from './node-rows'

const TITLE = 200 // characters of a chunk's text that represent it
const MAX_EDGES = 10 // times as many edges as nodes are read in one step

interface From {
  readonly node: string | null
  readonly depth: number
  readonly limit: number
}

interface Where {
  readonly db: D1Database
  readonly uid: string
  readonly links: CorpusObject['links']
}

export async function around(where: Where, from: From): Promise<Neighbourhood | null> {
  const { db, uid } = where
  const roots = from.node === null ? await top(db, uid, from.limit) : [from.node]
  const shown = new Map<string, ListedNode>()
  for (const node of await described(db, uid, roots)) shown.set(node.id, node)
  if (from.node !== null && shown.size === 0) return null
  const edges = new Map<string, ListedEdge>()
  let frontier = [...shown.keys()]
  let truncated = false
  for (let step = 0; step < from.depth && frontier.length > 0; step++) {
    const found = await touching(where, frontier, from.limit * MAX_EDGES)
    const ends = new Set(found.flatMap((edge) => [edge.source, edge.target]))
    const fresh = [...ends].filter((id) => !shown.has(id))
    const room = from.limit - shown.size
    if (fresh.length > room) truncated = true
    const reached = await described(db, uid, fresh.slice(0, room))
    for (const node of reached) shown.set(node.id, node)
    for (const edge of found) edges.set(JSON.stringify([edge.kind, edge.source, edge.target]), edge)
    frontier = reached.map((node) => node.id)
  }
  const between = [...edges.values()].filter((edge) => shown.has(edge.source) && shown.has(edge.target))
  return { nodes: [...shown.values()], edges: between, truncated }
}

/** Where to begin without a node: the highest communities and summaries, or else the documents. */
async function top(db: D1Database, uid: string, limit: number): Promise<string[]> {
  const highest = ['community', 'summary'].map((kind) =>
    db.prepare('SELECT id FROM node WHERE uid = ? AND kind = ? AND layer > 0 ORDER BY layer DESC, id DESC LIMIT ?').bind(uid, kind, limit),
  )
  const documents = db.prepare('SELECT id FROM document WHERE uid = ? ORDER BY id LIMIT ?').bind(uid, limit)
  const results = await db.batch<{ id: string }>([...highest, documents])
  return (results.find((result) => result.results.length > 0)?.results ?? []).map((row) => row.id)
}

async function described(db: D1Database, uid: string, ids: readonly string[]): Promise<ListedNode[]> {
  if (ids.length === 0) return []
  const among = 'uid = ?1 AND id IN (SELECT value FROM json_each(?2))'
  const list = JSON.stringify(ids)
  const [nodes, chunks, documents] = await db.batch<NodeRow>([
    db.prepare(`${LISTED} WHERE node.uid = ?1 AND node.id IN (SELECT value FROM json_each(?2)) ORDER BY node.id`).bind(uid, list),
    db
      .prepare(`SELECT id, 'chunk' AS kind, 0 AS layer, substr(text, 1, ${TITLE}) AS text, tokens, 0 AS stale, '{}' AS data
FROM chunk WHERE ${among} ORDER BY id`)
      .bind(uid, list),
    db
      .prepare(`SELECT id, 'document' AS kind, 0 AS layer, iif(title = '', name, title) AS text, 0 AS tokens, 0 AS stale,
json_object('url', url) AS data FROM document WHERE ${among} ORDER BY id`)
      .bind(uid, list),
  ])
  return [nodes, chunks, documents].flatMap((found) => (found?.results ?? []).map(nodeOf))
}

/** Rows are found by their keys or the index on targets; the object is asked for edges without rows. */
async function touching({ db, uid, links }: Where, ids: readonly string[], limit: number): Promise<ListedEdge[]> {
  const list = JSON.stringify(ids)
  const edge = (end: 'source' | 'target') =>
    db
      .prepare(`SELECT kind, source, target, weight, iif(kind = 'relates', data->'people', NULL) AS people
FROM edge WHERE uid = ?1 AND ${end} IN (SELECT value FROM json_each(?2)) LIMIT ?3`)
      .bind(uid, list, limit)
  const contains = db
    .prepare(`SELECT 'contains' AS kind, document.id AS source, placed.value->>'chunk' AS target, 1 AS weight
FROM document, json_each(document.chunks) AS placed WHERE uid = ?1 AND document.id IN (SELECT value FROM json_each(?2)) LIMIT ?3`)
    .bind(uid, list, limit)
  const [rows, without] = await Promise.all([db.batch<EdgeRow>([edge('source'), edge('target'), contains]), links(ids, limit)])
  return [...rows.flatMap((one) => one.results.map(edgeOf)), ...without]
}

interface EdgeRow extends ListedEdge {
  /** JSON: what people have added to a relation. */
  readonly people?: string | null
}

function edgeOf({ people, kind, source, target, weight }: EdgeRow): ListedEdge {
  return { kind, source, target, weight, ...(people ? { data: { people: JSON.parse(people) } } : {}) }
}
