/** Merges several layers' points (ArchRAG's merge): one order by score, within the budget, over the evidence they were drawn from. Asks no model. */

import type { Evidence } from '../core/evidence'
import type { Json } from '../core/graph/types'
import { declarationOf } from '../core/strategies/registry'
import { countTokens } from '../core/text/tokens'
import { numbered } from './answer-prompt'
import type { EvidenceLimit } from './ask-types'
import type { Found } from './found'
import { type Point, pointLimits } from './points'
import { groupEvidence, packEvidence } from './rank'

/** One layer, as read. */
export interface Read {
  readonly layer: number
  /** Places in the evidence. */
  readonly shown: readonly number[]
  /** Undefined if no reply was usable. */
  readonly points?: readonly Point[]
  readonly dropped: number
  readonly unusable: number
}

/** The best points that fit the budget, with the evidence they were drawn from; after them what no model could read. */
export function mergePoints(found: Found, read: readonly Read[], room: EvidenceLimit, trace: boolean): Found {
  const ranked = read.flatMap((one) => one.points ?? []).sort((a, b) => b.score - a.score || (a.sources[0] ?? 0) - (b.sources[0] ?? 0))
  const { points, evidence } = choosePoints(ranked, found.evidence, room)
  const traceField = trace ? { trace: extendTrace(found.trace, read, points.length) } : {}
  if (points.length === 0) return { ...found, ...traceField, evidence: chooseEvidence(found, room) }
  const unread = new Set(read.flatMap((one) => (one.points ? [] : one.shown)).flatMap((place) => found.evidence[place] ?? []))
  const held = new Set(evidence.map((one) => one.id))
  const rest = groupEvidence(found.evidence).flatMap((group) =>
    group[0] && unread.has(group[0]) ? group : group.filter((one) => unread.has(one)),
  )
  const all = packEvidence([...evidence, ...rest.filter((one) => !held.has(one.id))], room)
  const numbers = new Map(all.map((one, place) => [one.id, place + 1]))
  const lines = points.map(({ text, score, sources }) => {
    const marks = sources.flatMap((place) => numbers.get(found.evidence[place]?.id ?? '') ?? [])
    return `${marks.map((one) => `[${one}]`).join('')} (${Math.round(score)}) ${text}`
  })
  return {
    ...found,
    ...traceField,
    evidence: all,
    points: [...lines, ...all.flatMap((one, place) => (unread.has(one) ? [numbered(one, place)] : []))],
  }
}

/** A point whose texts no longer fit is left out: it could not be cited. */
function choosePoints(ranked: readonly Point[], evidence: readonly Evidence[], room: EvidenceLimit) {
  const groups = new Map(groupEvidence(evidence).flatMap((group) => (group[0] ? [[group[0].id, group] as const] : [])))
  const held = new Map<string, Evidence>()
  const points: Point[] = []
  let tokens = room.budget
  let texts = room.budget
  for (const point of ranked) {
    const cost = countTokens(point.text)
    const sources = point.sources.flatMap((place) => groups.get(evidence[place]?.id ?? '') ?? evidence[place] ?? [])
    const fresh = sources.filter((one) => !held.has(one.id))
    const size = fresh.reduce((sum, one) => sum + one.tokens, 0)
    if (cost > tokens || size > texts || held.size + fresh.length > room.topK) continue
    tokens -= cost
    texts -= size
    points.push(point)
    // A report is followed by what supports it, even if that was already there.
    if (fresh.some((one) => one.document === null)) for (const one of sources) held.delete(one.id)
    for (const one of sources) if (!held.has(one.id)) held.set(one.id, { ...one, score: point.score / pointLimits.best })
  }
  return { points, evidence: [...held.values()] }
}

/** As the walk chooses without a model: reports take at most a share of the places. */
export function chooseEvidence({ evidence, strategy }: Pick<Found, 'evidence' | 'strategy'>, room: EvidenceLimit): readonly Evidence[] {
  const share = declarationOf(strategy)?.filterEvidence?.communities ?? 1
  let left = Math.floor((share * room.topK) / 2)
  const groups = groupEvidence(evidence).filter(([first]) => first?.kind !== 'community' || left-- > 0)
  return packEvidence(groups.flat(), room)
}

function extendTrace(own: Json | undefined, read: readonly Read[], points: number): Json {
  const layers = read.map(({ layer, shown, dropped, unusable, points: drawn }) => ({
    layer,
    read: shown.length,
    points: drawn?.length ?? null,
    dropped,
    unusable,
  }))
  return { ...(isObject(own) ? own : {}), filter: 'adaptive', read: { layers, points } }
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
