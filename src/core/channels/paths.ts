/**
 * The path channel: Q-Iter in lexical space, model-free. Anchors are the names in the question (see Clue-RAG for why no others); a passage is worth what
 * the best path through it is worth. A path counts only if no single passage says more of the question alone.
 */
import type { Hit, Vector } from '../graph/types'
import type { Clue } from './clue'
import type { Clues } from './clues'
import type { Weighted } from './lexical'
import type { Named } from './names'
import { byScore } from './order'
import { lexicalScorer } from './scorers'
import { type Path, type WalkOptions, walk } from './walk'

const lexicalWalk: WalkOptions = {
  fanout: 3, // K, as in the paper
  beam: 5, // M, at the paper's plateau
  depth: 2, // D: covered terms run out after two hops, and longer paths only pay for their length
  updating: true,
}
const ANCHORING = 3 // units whose entities are anchors, the paper's K
const PASSAGES = 8 // passages whose units are looked at for that
const SHORT = 0.1 // of the question a path may lack of what the best single passage covers: a question that needs two steps finds no passage that says it all

export interface PathSearch {
  readonly terms: readonly Weighted[]
  readonly names: readonly Named[]
  /** The keyword channel's passages, best first. */
  readonly hits: readonly Hit[]
  /** Given only if vectors have proved useful. */
  readonly vector?: Vector
}

export function pathsFor(source: Clues, search: PathSearch, steps: WalkOptions = lexicalWalk): readonly Path[] {
  const scorer = lexicalScorer(search.terms, search.vector)
  const anchors = [...new Set(search.names.flatMap((one) => one.entities))]
  const { paths } = walk(source, anchors, scorer, steps)
  const covered = (units: readonly Clue[]): number => scorer.covered(units)
  const alone = Math.max(0, ...search.hits.slice(0, PASSAGES).map((hit) => covered(source.in(hit.id))))
  return paths.filter((path) => covered(path.units) > alone - SHORT)
}

/** Knowledge anchoring: the units that alone answer most of the question. */
export function anchorUnits(source: Clues, hits: readonly Hit[], fits: (unit: Clue) => number, count = ANCHORING): readonly Clue[] {
  const units = hits.slice(0, PASSAGES).flatMap((hit) => source.in(hit.id))
  const order = units.map((unit) => ({ id: unit.id, score: fits(unit), unit })).sort(byScore)
  return order.slice(0, count).map((one) => one.unit)
}

/** A passage's worth: that of the best path it is on, never below 0. */
export function pathWorth(paths: readonly Path[]): Map<string, number> {
  const worth = new Map<string, number>()
  for (const path of paths) {
    for (const unit of path.units) worth.set(unit.passage, Math.max(path.score, worth.get(unit.passage) ?? 0))
  }
  return worth
}
