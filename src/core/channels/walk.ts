/**
 * Q-Iter, the query-driven iterative retrieval of Clue-RAG (Algorithm 3): from the anchors, alternately entity → units → entities, each step asking for
 * what the path has not said yet, keeping the best paths. The scorer decides which unit comes next and what a path is worth. A pure function of the graph;
 * if a scorer lacks model scores, the walk says which and is started again with them.
 */
import type { Clue } from './clue'
import type { Clues } from './clues'

export interface WalkOptions {
  /** K: units tried from each entity. */
  readonly fanout: number
  /** M: paths kept at each step. */
  readonly beam: number
  /** D: steps. */
  readonly depth: number
  /** Q-U: look for what is still missing; off: always for the whole question. */
  readonly updating: boolean
}

export interface Path {
  /** By id: the order in which units were found does not make another path. */
  readonly units: readonly Clue[]
  /** The unit found last: its entities lead on. */
  readonly last: Clue
  readonly score: number
  readonly depth: number
  /** The entity the path began at. */
  readonly anchor: string
}

export interface Scorer {
  /** How well a unit answers what `said` leaves open. Higher is better. */
  fits(unit: Clue, said: readonly Clue[]): number
  /** Worth of each path, or undefined for those it has no score for yet. */
  worth(paths: readonly (readonly Clue[])[]): readonly (number | undefined)[]
}

export interface Walked {
  readonly paths: readonly Path[]
  /** Paths whose worth is not known yet; the walk stopped there. */
  readonly wanted: readonly (readonly Clue[])[]
}

interface Open {
  readonly units: readonly Clue[]
  readonly last: Clue
  readonly anchor: string
}

export function walk(clues: Clues, anchors: readonly string[], scorer: Scorer, options: WalkOptions): Walked {
  const kept: Path[] = []
  let front = anchors.map((anchor) => ({ entity: anchor, anchor, said: [] as readonly Clue[] }))
  for (let depth = 1; depth <= options.depth && front.length > 0; depth++) {
    const candidates = new Map<string, Open>()
    const fitting = memoizeFits(scorer)
    clues.expect({ entities: front.map((one) => one.entity) })
    for (const { entity, anchor, said } of front) {
      for (const unit of nextUnits(clues, entity, said, fitting, options)) {
        const units = [...said, unit].sort((a, b) => (a.id < b.id ? -1 : 1))
        const key = units.map((one) => one.id).join(' ')
        if (!candidates.has(key)) candidates.set(key, { units, last: unit, anchor })
      }
    }
    const open = [...candidates.values()]
    const worth = scorer.worth(open.map((one) => one.units))
    const wanted = open.filter((_, i) => worth[i] === undefined).map((one) => one.units)
    if (wanted.length > 0) return { paths: kept, wanted }
    const scored = open.map((one, i): Path => ({ ...one, depth, score: worth[i] ?? 0 }))
    const best = scored.sort(byWorth).slice(0, options.beam)
    kept.push(...best)
    front = nextFront(clues, best)
  }
  return { paths: kept.sort(byWorth), wanted: [] }
}

/** The K units of an entity that best answer what is left of the question. */
function nextUnits(clues: Clues, entity: string, said: readonly Clue[], fits: Scorer['fits'], options: WalkOptions): readonly Clue[] {
  const known = new Set(said.map((one) => one.id))
  const left = options.updating ? said : NOTHING
  return clues
    .of(entity)
    .filter((unit) => !known.has(unit.id))
    .map((unit) => ({ unit, fits: fits(unit, left) }))
    .sort((a, b) => b.fits - a.fits || (a.unit.id < b.unit.id ? -1 : 1))
    .slice(0, options.fanout)
    .map((one) => one.unit)
}

/** The entities of one path share most of their units: each is compared with what the path leaves open once. */
function memoizeFits(scorer: Scorer): Scorer['fits'] {
  const known = new Map<readonly Clue[], Map<Clue, number>>()
  return (unit, said) => {
    const own = known.get(said) ?? new Map<Clue, number>()
    known.set(said, own)
    const held = own.get(unit) ?? scorer.fits(unit, said)
    own.set(unit, held)
    return held
  }
}

/** Each path continues through the entities of the unit it found last. */
function nextFront(clues: Clues, paths: readonly Path[]): { entity: string; anchor: string; said: readonly Clue[] }[] {
  return paths.flatMap((path) => clues.entities(path.last).map((entity) => ({ entity, anchor: path.anchor, said: path.units })))
}

const NOTHING: readonly Clue[] = []

function byWorth(a: Path, b: Path): number {
  return b.score - a.score || a.units.length - b.units.length || (keyOf(a) < keyOf(b) ? -1 : 1)
}

function keyOf(path: Path): string {
  return path.units.map((unit) => unit.id).join(' ')
}
