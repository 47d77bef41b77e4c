/**
 * Local search in the skeleton (KET-RAG, Algorithm 2): ten seed entities (seeds.ts), their relations (first those between seeds), and the texts
 * most adjacent to both. A relation is shown by the unit that bears it out, so that it can be checked like any text, and on the card of its seed in
 * the words of the model that extracted it. Reads at most a few hundred small rows.
 */

import { ABOUT } from '../../builders/mention-list'
import { bearings } from '../../builders/relations'
import type { Clue } from '../../channels/clue'
import { bestByChunk, type Clues, clues } from '../../channels/clues'
import { type Described, Readings } from '../../channels/entity-descriptions'
import { byScore, ranked } from '../../channels/order'
import { lexicalScorer } from '../../channels/scorers'
import type { Hit } from '../../graph/types'
import { passageId } from '../../ids'
import type { Question } from './question'
import { seedsOf } from './seeds'

export const localLimits = {
  star: 48, // relations read for a seed, strongest first
  relations: 64, // relations whose units are read
  bearings: 1, // units read for one relation
  followed: 16, // relations whose other end's texts count as adjacent
  texts: 8, // chunks opened for one seed: those that the question's words rank best
  mentions: 48, // texts read for an entity
} as const

export interface Relation {
  readonly source: string
  readonly target: string
  /** Both ends are seeds. */
  readonly within: boolean
  /** The unit that serves the question best. */
  readonly unit: string
  readonly passage: string
  readonly score: number
  /** In a model's words; undefined if no model has extracted it. Read only when asked for. */
  readonly described: () => string | undefined
}

export interface Neighbourhood {
  readonly seeds: readonly Hit[]
  /** What models have said of seeds. */
  readonly described: ReadonlyMap<string, Described | undefined>
  /** Those between seeds first, each group best first. */
  readonly relations: readonly Relation[]
  /** Passages by adjacency to the seeds, best first. */
  readonly texts: readonly Hit[]
}

export function localSearch(question: Question): Neighbourhood {
  const { graph, query, terms, words } = question
  const liked = bestByChunk(words)
  const source = clues(graph, terms, liked, { titles: true, ...(query.admits ? { admits: query.admits } : {}) })
  const scorer = lexicalScorer(terms, query.vector)
  const fits = (unit: Clue): number => scorer.fits(unit, [])
  const readings = new Readings(question)
  const known = new Map<string, Described | undefined>()
  const describe = (entity: string): Described | undefined => {
    if (!known.has(entity)) known.set(entity, readings.describe(entity, liked, graph.edgesTo('mentions', entity, localLimits.mentions)))
    return known.get(entity)
  }
  const seeds = seedsOf(question, source, { fits, describe })
  const relations = relationsOf(question, seeds, source, { fits, readings })
  const described = new Map(seeds.flatMap(({ id }) => [[id, describe(id)] as const]))
  return { seeds, relations, described, texts: adjacent(question, seeds, relations, liked) }
}

interface Reading {
  readonly fits: (unit: Clue) => number
  readonly readings: Readings
}

function relationsOf(question: Question, seeds: readonly Hit[], source: Clues, { fits, readings }: Reading): readonly Relation[] {
  const { graph, query } = question
  const chosen = new Map(seeds.map((seed) => [seed.id, seed.score]))
  const edges = new Map(
    seeds.flatMap((seed) =>
      graph.edges('relates', seed.id, localLimits.star).map((edge) => [`${edge.source} ${edge.target}`, edge] as const),
    ),
  )
  const open = [...edges.values()].map((edge) => {
    const ends = [chosen.get(edge.source), chosen.get(edge.target)]
    const said = bearings(edge)
    const seen = said.filter((one) => query.admits?.(one.chunk) !== false)
    return { edge, within: !ends.includes(undefined), worth: Math.max(...ends.map((one) => one ?? 0)), said: seen }
  })
  open.sort(
    (a, b) =>
      Number(b.within) - Number(a.within) || b.worth - a.worth || b.edge.weight - a.edge.weight || (a.edge.target < b.edge.target ? -1 : 1),
  )
  const relations = open.slice(0, localLimits.relations).flatMap(({ edge, within, worth, said }): Relation[] => {
    const units = said.slice(0, localLimits.bearings).flatMap((one) => source.at(one.chunk, one.unit))
    const best = units.map((unit) => ({ unit, id: unit.id, score: fits(unit) })).sort(byScore)[0]
    if (!best) return []
    const { id, passage } = best.unit
    const described = (): string | undefined => readings.relate(edge, said)
    return [{ source: edge.source, target: edge.target, within, unit: id, passage, score: worth * Math.max(0.01, best.score), described }]
  })
  return relations.sort((a, b) => Number(b.within) - Number(a.within) || b.score - a.score || (a.unit < b.unit ? -1 : 1))
}

/** How near passages lie to the seeds: by mentioning them, and by being about what one of their relations leads to. */
function adjacent(
  question: Question,
  seeds: readonly Hit[],
  relations: readonly Relation[],
  liked: ReadonlyMap<string, number>,
): readonly Hit[] {
  const { graph } = question
  const near = new Map<string, number>()
  const add = (passage: string, mass: number): void => {
    near.set(passage, (near.get(passage) ?? 0) + mass)
  }
  for (const seed of seeds) {
    const rarity = 1 / Math.log(Math.E + graph.degreeTo('mentions', seed.id))
    for (const passage of textsOf(question, seed.id, liked)) add(passage, seed.score * rarity)
  }
  const known = new Set(seeds.map((seed) => seed.id))
  const followed = [...relations].sort((a, b) => b.score - a.score || (a.unit < b.unit ? -1 : 1)).slice(0, localLimits.followed)
  for (const { source, target, score, passage } of followed) {
    add(passage, score)
    for (const end of [source, target]) if (!known.has(end)) for (const text of aboutOf(question, end)) add(text, score)
  }
  // By adjacency alone: the other channel knows what the passages are worth by themselves, and the two are to complement each other.
  return ranked(near)
}

/** Passages that mention an entity. */
function textsOf({ graph, query }: Question, entity: string, liked: ReadonlyMap<string, number>): readonly string[] {
  const edges = graph.edgesTo('mentions', entity, localLimits.mentions)
  const order = [...edges].sort((a, b) => (liked.get(b.source) ?? 0) - (liked.get(a.source) ?? 0))
  const passages = order.slice(0, localLimits.texts).flatMap(({ source, data }) => {
    if (query.admits?.(source) === false) return []
    const chunk = graph.chunk(source)
    const ordinals = (data ?? []) as readonly number[]
    return ordinals.flatMap((ordinal) => {
      const at = ordinal === ABOUT ? 0 : chunk?.units[ordinal]?.passage
      return at === undefined ? [] : [passageId(source, at)]
    })
  })
  return [...new Set(passages)]
}

/** First passages of the texts that bear the entity's name: that is where they say what it is. */
function aboutOf({ graph, query }: Question, entity: string): readonly string[] {
  const edges = graph.edgesTo('mentions', entity, localLimits.mentions)
  const about = edges.filter(({ source, data }) => (data as readonly number[])[0] === ABOUT && query.admits?.(source) !== false)
  return about.slice(0, 2).map(({ source }) => passageId(source, 0))
}
