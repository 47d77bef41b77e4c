/** Lists from D1. A kind is a range of ids, because an id begins with the letter of its kind: no extra index is needed. */
import { fold } from '../../core/graph/listed'
import type { Listings } from '../../ports/listings'
import type { Databases } from '../databases'
import { around } from './around'
import { LISTED, type NodeRow, nodeOf } from './node-rows'
import { pageOf } from './pages'

const LETTER: { readonly [kind: string]: string } = { entity: 'e', keyword: 'k', label: 'l', summary: 's', community: 'm' }

export function listings(databases: Databases): Listings {
  return {
    async version({ uid, database }) {
      const row = await databases.of(database).prepare('SELECT version FROM published WHERE uid = ?').bind(uid).first<{ version: number }>()
      return row?.version ?? 0
    },
    async nodes({ uid, database }, { kind, layer, q }, { after, limit }) {
      const [from, to] = rangeOf(kind)
      const bound: (string | number)[] = [uid, from, to, after]
      let where = 'node.uid = ? AND node.id > ? AND node.id < ? AND node.id > ?'
      if (layer !== undefined) {
        where += layer > 0 ? ' AND node.kind = ? AND layer = ? AND layer > 0' : ' AND node.kind = ? AND layer = ?' // along node_layer
        bound.push(kind, layer)
      }
      if (q) {
        where += ' AND instr(folded, ?) > 0'
        bound.push(fold(q))
      }
      const statement = databases.of(database).prepare(`${LISTED} WHERE ${where} ORDER BY node.id LIMIT ?`)
      const { results } = await statement.bind(...bound, limit).all<NodeRow>()
      return results.map(nodeOf)
    },
    async mentioned({ uid, database }, q, { after, limit }) {
      const bound: (string | number)[] = [uid]
      let where = "node.uid = ? AND node.kind = 'entity' AND rank < -1" // along node_mentions
      if (after) {
        where += ' AND (rank, folded, node.id) > (?, ?, ?)'
        bound.push(-after.mentions, after.name, after.id)
      }
      if (q) {
        where += ' AND instr(folded, ?) > 0'
        bound.push(fold(q))
      }
      const statement = databases.of(database).prepare(`${LISTED} WHERE ${where} ORDER BY rank, folded, node.id LIMIT ?`)
      const { results } = await statement.bind(...bound, limit).all<NodeRow>()
      return results.map(nodeOf)
    },
    async layers({ uid, database }, kind) {
      const { results } = await databases
        .of(database)
        .prepare('SELECT layer, count(*) AS count FROM node WHERE uid = ? AND kind = ? AND layer > 0 GROUP BY layer ORDER BY layer')
        .bind(uid, kind)
        .all<{ layer: number; count: number }>()
      return results
    },
    around: ({ uid, database }, from, links) => around({ db: databases.of(database), uid, links }, from),
    page: ({ uid, database }, table, from) => pageOf(databases.of(database), uid, table, from),
  }
}

/** Every id of the kind lies between these. */
export function rangeOf(kind: string): [string, string] {
  const letter = LETTER[kind] ?? '?'
  return [`${letter}_`, `${letter}\``]
}
