/**
 * Entities, the most mentioned first. D1 has those of several chunks in the order of the whole corpus; those of one chunk, most of all, follow in
 * order of id, since an order of their own would cost a row for each. An asker who may not read all of it gets the order of
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

const ONE = 1 // chunk: an entity of no more is not among those in order
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
  if (!all) return listOwnOrder(c, where, { from, limit }, asker)
  return first.length > limit ? pageOf(first, limit) : withRest(c, where, first, { most: ONE, limit })
}

/** A last page of those in order, and as many of the rest as it has room for. */
async function withRest(c: Ctx, where: Where, rows: readonly ListedNode[], { most, limit }: { most: number; limit: number }) {
  if (rows.length === limit) return { data: rows, next_cursor: restCursor({ most, after: '' }) }
  const { data, next_cursor } = await listRest(c, where, { most, after: '' }, limit - rows.length)
  return { data: [...rows, ...data], next_cursor }
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
  for (let pages = 0; pages < looked.pages && most > ONE; pages++) {
    const rows: readonly ListedNode[] = await c.get('world').listings.mentioned(c.get('corpus'), where.q, { after: at, limit: looked.page })
    const { rows: shown } = await shownOf(c, rows, where.q, asker)
    found.push(...shown.filter((node) => from === null || compare(mentionPlace(node), from) > 0))
    const last = rows.length < looked.page ? undefined : rows.at(-1)
    at = last ? mentionPlace(last) : null
    most = at?.mentions ?? ONE
    if (certainIn(found, most).length > limit) break
  }
  const certain = certainIn(found, most)
  // The rest is another page: this one has made its calls.
  return certain.length > limit ? pageOf(certain, limit) : { data: certain, next_cursor: restCursor({ most, after: '' }) }
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

/** The first of more. */
function pageOf(rows: readonly ListedNode[], limit: number) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: last ? encode(JSON.stringify(partsOf(mentionPlace(last)))) : null }
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
