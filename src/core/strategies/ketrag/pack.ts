/**
 * The context of KET-RAG: θ of the budget for the skeleton, half of it for entities (cards) and relations and half for texts, the rest for the
 * keyword channel. Each share is a bound, not a target; what does not fit is passed over and the next is tried. Nothing is packed twice: a
 * relation's unit that is in a packed passage costs nothing more, and its room goes to the next relation.
 */
import { byScore } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Found } from '../../strategy'
import type { Neighbourhood, Relation } from './local-search'
import { type PackedCard, packCards } from './pack-cards'

export interface Context {
  readonly theta: number
  /** Tokens. */
  readonly budget: number
  /** Pieces. */
  readonly topK: number
}

export interface Parts {
  readonly keyword: readonly Hit[]
  readonly local: Neighbourhood
}

const HALF = 0.5 // of the skeleton's share, for entities and relations (Algorithm 2)
const BEHIND = 1 - 1e-9

export function packEvidence(graph: GraphReader, { keyword, local }: Parts, { theta, budget, topK }: Context): readonly Found[] {
  const skeleton = Math.round(theta * topK)
  const texts = Math.ceil(skeleton * HALF)
  const taken = new Set<string>()
  const first = fill(graph, local.texts, { taken, room: theta * budget * HALF, pieces: texts })
  const spoken = fill(graph, keyword, { taken, room: (1 - theta) * budget, pieces: topK - skeleton })
  const half = { room: theta * budget * HALF, pieces: skeleton - texts }
  const { cards, passages: behind } = packCards(graph, local, { taken, ...half, fresh: true })
  const shown = tokensOf(graph, behind) + tokensIn(cards)
  const told = new Set(cards.flatMap((card) => card.told))
  const related = units(
    graph,
    local.relations.filter((one) => !told.has(one)),
    { taken, room: half.room - shown, pieces: half.pieces - cards.length - behind.length },
  )
  // What entities and relations leave of the skeleton's share goes to its texts, never to the other channel, and what the texts leave goes to
  // cards.
  const ids = related.map((one) => one.id)
  const left = theta * budget - tokensOf(graph, first) - shown - tokensOf(graph, ids)
  const pieces = skeleton - first.size - cards.length - behind.length - related.length
  const second = fill(graph, local.texts, { taken, room: left, pieces })
  const rest = { room: left - tokensOf(graph, second), pieces: pieces - second.size }
  const more = packCards(graph, local, { taken, ...rest, fresh: false }, cards)
  const adjacent = new Set([...first, ...second, ...behind, ...more.passages])
  // A unit may be in a passage that came after it.
  const apart = related.filter((one) => !taken.has(one.relation.passage))
  const scores = { keyword: scale(keyword), text: scale(local.texts), unit: scale(apart) }
  const passages = [...taken].map((id): Found => {
    const said = (scores.keyword.get(id) ?? 0) * (1 - theta) + (scores.text.get(id) ?? 0) * theta
    const via = spoken.has(id) && adjacent.has(id) ? 'keyword + skeleton' : spoken.has(id) ? 'keyword' : 'skeleton text'
    return { id, score: said, via }
  })
  // After its passage, whose place it does not change.
  const scoreOf = new Map(passages.map((one) => [one.id, one.score]))
  const entities = [...cards, ...more.cards].map(
    ({ entity, text, passage }): Found => ({
      id: entity,
      score: (scoreOf.get(passage) ?? 0) * BEHIND,
      via: 'entity',
      support: [passage],
      text,
    }),
  )
  const relations = apart.map(
    ({ id, relation }): Found => ({
      id,
      score: (scores.unit.get(id) ?? 0) * theta * HALF,
      via: viaOf(graph, relation),
      support: [relation.passage],
    }),
  )
  return [...passages, ...entities, ...relations].sort(byScore)
}

interface Room {
  /** Passages packed so far; those packed now are added. */
  readonly taken: Set<string>
  readonly room: number
  readonly pieces: number
}

function fill(graph: GraphReader, hits: readonly Hit[], { taken, room, pieces }: Room): ReadonlySet<string> {
  const mine = new Set<string>()
  let left = room
  for (const { id } of hits) {
    if (mine.size >= pieces) break
    const tokens = graph.text(id)?.tokens
    if (taken.has(id) || tokens === undefined || tokens > left) continue
    left -= tokens
    mine.add(id)
  }
  for (const id of mine) taken.add(id)
  return mine
}

interface RelatedUnit extends Hit {
  readonly relation: Relation
}

function units(graph: GraphReader, relations: readonly Relation[], { taken, room, pieces }: Room): readonly RelatedUnit[] {
  const mine = new Map<string, RelatedUnit>()
  let left = room
  for (const relation of relations) {
    if (mine.size >= pieces) break
    const tokens = graph.text(relation.unit)?.tokens
    if (taken.has(relation.passage) || mine.has(relation.unit) || tokens === undefined || tokens > left) continue
    left -= tokens
    mine.set(relation.unit, { id: relation.unit, score: relation.score, relation })
  }
  return [...mine.values()]
}

function tokensIn(cards: readonly PackedCard[]): number {
  return cards.reduce((sum, card) => sum + card.tokens, 0)
}

function tokensOf(graph: GraphReader, ids: Iterable<string>): number {
  let sum = 0
  for (const id of ids) sum += graph.text(id)?.tokens ?? 0
  return sum
}

function scale(hits: readonly Hit[]): ReadonlyMap<string, number> {
  const max = hits.reduce((max, hit) => Math.max(max, hit.score), 0)
  return new Map(hits.map((hit) => [hit.id, max > 0 ? hit.score / max : 0]))
}

function viaOf(graph: GraphReader, { source, target, within }: Relation): string {
  const name = (id: string): string => graph.node(id)?.text ?? chunkOf(id)
  return `${within ? 'relation' : 'relation outward'}: ${name(source)} – ${name(target)}`
}
