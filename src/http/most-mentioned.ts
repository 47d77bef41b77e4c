/**
 * Entities, the most mentioned first. D1 has them in the order of the whole corpus. An asker who may not read all of it gets the order of
 * what they may read, since another one would tell how often the rest says a name: nothing is mentioned more often for them than for
 * everybody, so an entity's place is certain once D1 has only less mentioned ones left. What is not certain after `looked.pages` calls
 * follows in order of id.
 */

import type { Asker } from '../core/access/labels'
import { type ListedNode, type MentionPlace, mentionPlace } from '../core/graph/listed'
import { askerOf } from './asker'
import type { Ctx } from './context'
import { decode, encode, notACursor } from './cursor'
import { type List, listNodes, looked, shownOf, type Where } from './listed'

const REST = '~' // begins a place among those in order of id
const BY_MENTIONS = '['

export const listById: List = (c, where, place) => {
  if (place.after.startsWith(BY_MENTIONS) || place.after.startsWith(REST)) throw notACursor() // of the other order
  return listNodes(c, where, place)
}

export const listMostMentioned: List = async (c, where, { after, limit }) => {
  if (after.startsWith(REST)) return listRest(c, where, restAt(after), limit)
  const from = placeAt(after)
  const asker = await askerOf(c)
  const first = await c.get('world').listings.mentioned(c.get('corpus'), where.q, { after: from, limit: limit + 1 })
  const { all } = await shownOf(c, first, where.q, asker)
  return all ? pageOf(first, limit) : listOwnOrder(c, where, { from, limit }, asker)
}

interface Rest {
  /** Those mentioned more often have been listed. */
  readonly most: number
  readonly after: string
}

async function listOwnOrder(c: Ctx, where: Where, { from, limit }: { from: MentionPlace | null; limit: number }, asker: Asker) {
  const found: ListedNode[] = []
  let at: MentionPlace | null = null
  let most = Number.POSITIVE_INFINITY // chunks that mention what D1 has left
  for (let pages = 0; pages < looked.pages && most > 0; pages++) {
    const rows: readonly ListedNode[] = await c.get('world').listings.mentioned(c.get('corpus'), where.q, { after: at, limit: looked.page })
    const { rows: shown } = await shownOf(c, rows, where.q, asker)
    found.push(...shown.filter((node) => from === null || compare(mentionPlace(node), from) > 0))
    const last = rows.length < looked.page ? undefined : rows.at(-1)
    at = last ? mentionPlace(last) : null
    most = at?.mentions ?? 0
    if (certainIn(found, most).length > limit) break
  }
  const page = pageOf(certainIn(found, most), limit)
  return page.next_cursor === null && most > 0 ? { ...page, next_cursor: restCursor({ most, after: '' }) } : page
}

/** In order; nothing that is left can come before one of these, for this asker. */
function certainIn(found: readonly ListedNode[], most: number): readonly ListedNode[] {
  return found
    .map((node) => ({ node, place: mentionPlace(node) }))
    .filter(({ place }) => place.mentions > most)
    .sort((a, b) => compare(a.place, b.place))
    .map(({ node }) => node)
}

async function listRest(c: Ctx, where: Where, { most, after }: Rest, limit: number) {
  const { data, next_cursor: next } = await listNodes(c, where, { after, limit })
  const left = data.filter((node) => mentionPlace(node).mentions <= most)
  return { data: left, next_cursor: next === null ? null : restCursor({ most, after: decode(next) }) }
}

function compare(a: MentionPlace, b: MentionPlace): number {
  return b.mentions - a.mentions || order(a.name, b.name) || order(a.id, b.id)
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function pageOf(rows: readonly ListedNode[], limit: number) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encode(JSON.stringify(partsOf(mentionPlace(last)))) : null }
}

const partsOf = ({ mentions, name, id }: MentionPlace) => [mentions, name, id] as const

function placeAt(after: string): MentionPlace | null {
  if (after === '') return null
  const [mentions, name, id] = parsed(after)
  if (typeof mentions !== 'number' || typeof name !== 'string' || typeof id !== 'string') throw notACursor()
  return { mentions, name, id }
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // refused below
  }
  throw notACursor()
}

const restCursor = ({ most, after }: Rest): string => encode(`${REST}${most}:${after}`)

function restAt(text: string): Rest {
  const [, most, after] = /^~(\d{1,15}):(.*)$/s.exec(text) ?? []
  if (most === undefined || after === undefined) throw notACursor()
  return { most: Number(most), after }
}
