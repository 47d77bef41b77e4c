/** All rows of a corpus, page by page along the primary keys: nothing is held but one page. */
import type { D1Database } from '@cloudflare/workers-types'
import type { ExportedRow } from '../../catalogue-ports'
import { NODE, type NodeRow, nodeOf } from './listings'

const PAGE = 500 // rows; of chunks about 6 MB at most

export async function* everything(db: D1Database, uid: string): AsyncGenerator<ExportedRow, void, void> {
  for await (const row of pages<DocumentRow>(db, uid, 'SELECT id, title, url, metadata, chunks FROM document')) {
    yield { type: 'document', ...row, metadata: JSON.parse(row.metadata), chunks: JSON.parse(row.chunks) }
  }
  for await (const row of pages<ChunkRow>(db, uid, 'SELECT id, title, text, tokens, own FROM chunk')) yield { type: 'chunk', ...row }
  for await (const row of pages<NodeRow>(db, uid, `SELECT ${NODE} FROM node`)) yield { type: 'node', ...nodeOf(row) }
  for await (const row of edges(db, uid)) {
    yield { type: 'edge', ...row, ...(row.data === null ? { data: undefined } : { data: JSON.parse(row.data) }) }
  }
}

interface DocumentRow {
  readonly id: string
  readonly title: string
  readonly url: string | null
  readonly metadata: string
  readonly chunks: string
}

interface ChunkRow {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly tokens: number
  readonly own: number
}

interface EdgeRow {
  readonly kind: string
  readonly source: string
  readonly target: string
  readonly weight: number
  readonly data: string | null
}

async function* pages<T extends { readonly id: string }>(db: D1Database, uid: string, select: string): AsyncGenerator<T, void, void> {
  const statement = db.prepare(`${select} WHERE uid = ? AND id > ? ORDER BY id LIMIT ${PAGE}`)
  for (let after = ''; ; ) {
    const { results } = await statement.bind(uid, after).all<T>()
    yield* results
    const last = results.at(-1)
    if (!last || results.length < PAGE) return
    after = last.id
  }
}

async function* edges(db: D1Database, uid: string): AsyncGenerator<EdgeRow, void, void> {
  const statement = db.prepare(`SELECT kind, source, target, weight, data FROM edge WHERE uid = ?
AND (source, kind, target) > (?, ?, ?) ORDER BY source, kind, target LIMIT ${PAGE}`)
  for (let after = ['', '', '']; ; ) {
    const { results } = await statement.bind(uid, ...after).all<EdgeRow>()
    yield* results
    const last = results.at(-1)
    if (!last || results.length < PAGE) return
    after = [last.source, last.kind, last.target]
  }
}
