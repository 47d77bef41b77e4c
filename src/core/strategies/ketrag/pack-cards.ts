/**
 * As many cards as fit, the best seed first: each has its description, then what relates it to others, with each relation on only one card. What a
 * packed passage already says comes only if there is room left. A card is shown with a passage it was drawn from: one that is packed already, or
 * else that passage's tokens and place count as well.
 */

import type { Described, Statement } from '../../channels/entity-descriptions'
import type { GraphReader } from '../../graph/reader'
import { countTokens } from '../../text/tokens'
import type { Neighbourhood, Relation } from './local-search'

const RELATIONS = 6 // on one card
const LOOKED = 12 // relations of a seed that are considered for it

export interface PackedCard {
  readonly entity: string
  readonly text: string
  readonly tokens: number
  /** A packed passage that bears it out. */
  readonly passage: string
  /** Relations it tells. */
  readonly told: readonly Relation[]
}

interface Room {
  /** Passages packed so far; those packed for cards are added. */
  readonly taken: Set<string>
  /** Tokens. */
  readonly room: number
  readonly pieces: number
  /** Only what no packed passage says. */
  readonly fresh: boolean
}

export interface PackedCards {
  readonly cards: readonly PackedCard[]
  /** Passages packed for them. */
  readonly passages: readonly string[]
}

/** `before`: cards packed so far. */
export function packCards(
  graph: GraphReader,
  { seeds, described, relations }: Neighbourhood,
  { taken, room, pieces, fresh: only }: Room,
  before: readonly PackedCard[] = [],
): PackedCards {
  const cards: PackedCard[] = []
  const passages: string[] = []
  const told = new Set(before.flatMap((card) => card.told))
  let left = room
  for (const { id } of seeds) {
    if (before.some((card) => card.entity === id)) continue
    const own = relations.filter((one) => (one.source === id || one.target === id) && !told.has(one) && !taken.has(one.passage))
    const all = described.get(id)
    const statements = all?.statements.filter((one) => !only || !taken.has(one.passage)) ?? []
    const card = written(graph, id, { described: all && { ...all, statements }, own, left, taken })
    if (!card) continue
    const fresh = taken.has(card.passage) ? 0 : 1
    if (cards.length + passages.length + 1 + fresh > pieces) continue
    left -= card.tokens + fresh * (graph.text(card.passage)?.tokens ?? 0)
    if (fresh > 0) passages.push(card.passage)
    taken.add(card.passage)
    for (const one of card.told) told.add(one)
    cards.push(card)
  }
  return { cards, passages }
}

interface Material {
  readonly described: Described | undefined
  readonly own: readonly Relation[]
  readonly left: number
  readonly taken: ReadonlySet<string>
}

/** Undefined if there is nothing to say, or no room for it. */
function written(graph: GraphReader, id: string, { described, own, left, taken }: Material): PackedCard | undefined {
  const lines = linesOf(graph, own)
  if (!described?.statements.length && lines.length === 0) return undefined
  const passages = [...(described?.statements ?? []), ...(described ? [described] : []), ...lines.map(({ line }) => line)].map(
    (one) => one.passage,
  )
  const passage = passages.find((one) => taken.has(one)) ?? passages.find((one) => graph.text(one))
  if (passage === undefined) return undefined
  const head = described?.head ?? graph.node(id)?.text ?? ''
  let rest = left - countTokens(head) - (taken.has(passage) ? 0 : (graph.text(passage)?.tokens ?? 0))
  const fits = ({ tokens }: Statement): boolean => {
    if (tokens + 1 > rest) return false
    rest -= tokens + 1
    return true
  }
  if (rest < 0) return undefined
  const statements = (described?.statements ?? []).filter(fits)
  const shown = lines.filter(({ line }) => fits(line))
  if (statements.length + shown.length === 0) return undefined
  const first = [head, statements.map((one) => one.text).join(' ')].filter(Boolean).join(': ')
  const text = [first, ...shown.map(({ line }) => line.text)].join('\n')
  return { entity: id, text, tokens: countTokens(text), passage, told: shown.map(({ one }) => one) }
}

function linesOf(graph: GraphReader, own: readonly Relation[]): readonly { readonly one: Relation; readonly line: Statement }[] {
  const lines: { readonly one: Relation; readonly line: Statement }[] = []
  for (const one of own.slice(0, LOOKED)) {
    if (lines.length >= RELATIONS) break
    const described = one.described()
    if (!described) continue
    const text = related(graph, one, described)
    lines.push({ one, line: { text, tokens: countTokens(text), passage: one.passage } })
  }
  return lines
}

/** A description that does not name both ends is given with their names. */
function related(graph: GraphReader, { source, target }: Relation, description: string): string {
  const names = [source, target].map((id) => graph.node(id)?.text ?? '')
  return names.every((name) => description.toLowerCase().includes(name.toLowerCase()))
    ? description
    : `${names.join(' – ')}: ${description}`
}
