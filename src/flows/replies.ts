/**
 * What a model replied while a corpus was indexed: repaired, parsed by a schema, and checked against the text it was given. Whatever the reply contains,
 * the result is one of our values or a `ModelError invalid`; what the text does not support is dropped and counted.
 */
import { z } from 'zod'
import { isSaid } from '../core/builders/extracted-knowledge'
import type { Brief, Extraction, Report } from '../core/strategy'
import { terms } from '../core/text/terms'
import { countTokens } from '../core/text/tokens'
import { ofTypes } from './entity-types'
import { invalid } from './faults'
import { isBorne, triplesOf } from './letter-overlap'
import { folded, occurs } from './occurs'
import { countOutside, fittingEntities, fittingRelations } from './ontology-fit'
import { namesShown, ownWords } from './own-words'
import { isEcho, isElsewhere, isForeign, isRefusal, unmarked, wholeSentences, withoutLoop } from './reply-checks'
import { MAX_REPLY, parseJson, unfenced } from './reply-json'
import { clipToTokens } from './windows'

export const bounds = {
  units: 200, // per chunk; more than a sentence for every six tokens is babble
  unit: 1000, // characters of one unit
  entities: 100,
  relations: 200,
  name: 150, // characters of an entity's name
  type: 40,
  description: 1000,
  strength: 10,
  title: 200,
  findings: 10,
} as const

/** What was dropped from a reply, by kind. */
export type Dropped = { readonly [kind: string]: number }
export type ParsedExtraction = {
  readonly units: readonly string[]
  readonly dropped: Dropped
} & Pick<Extraction, 'entities' | 'relations'>

const text = z.preprocess((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''), z.string())
const number = z.preprocess((value) => (typeof value === 'string' ? Number.parseFloat(value) : value), z.number().catch(Number.NaN))
const rows = z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(z.unknown()))
const Drawing = z.object({ knowledge_units: rows, entities: rows, relations: rows })
const Entity = z.object({ name: text, type: text, description: text })
const Relation = z.object({ source: text, target: text, description: text, strength: number, relation: text })
const Reported = z.object({ title: text, summary: text, rating: number, findings: rows })
const Finding = z.object({ summary: text, explanation: text })

/** What a reply is checked against. */
export interface Asked {
  readonly instructions: string
  readonly material: string
  /** The reply was cut at its length limit. */
  readonly isCut?: boolean
  /** Whether the reply must restate the material, in its language and with its names. */
  readonly isRetold?: boolean
}

/** Plain text, at most `tokens`, in whole sentences where there is one, without the wrapping some models add. */
export function parseSummary(reply: string, tokens: number, asked?: Asked): string {
  const { text, isLoop } = withoutLoop(printable(unmarked(unfenced(reply.slice(0, MAX_REPLY)))))
  if (!/[\p{L}\p{N}]/u.test(text)) throw invalid('empty')
  const clipped = clipToTokens(text, tokens)
  const isShortened = asked?.isCut === true || isLoop || clipped.length < text.length
  const whole = isShortened ? wholeSentences(clipped) : clipped
  if (!asked) return whole || clipped
  if (whole === '') throw invalid(isLoop ? 'loop' : 'unfinished')
  if (isRefusal(whole, asked.material)) throw invalid('refusal')
  if (isEcho(whole, asked.instructions, asked.material)) throw invalid('echo')
  if (isForeign(whole, asked.material)) throw invalid('language')
  if (asked.isRetold && isElsewhere(whole, asked.material)) throw invalid('unsupported')
  return whole
}

export function parseReport(reply: string, tokens: number, asked?: Asked): Report {
  const parsed = Reported.safeParse(parseJson(reply))
  if (!parsed.success) throw invalid('form')
  const { title, summary, rating, findings } = parsed.data
  const { text: said, isLoop } = withoutLoop(printable(unmarked(summary)))
  const clipped = clipToTokens(said, tokens)
  const report = {
    title: line(title, bounds.title),
    summary: isLoop || (asked?.isCut && findings.length === 0) ? wholeSentences(clipped) : clipped,
    rating: clamped(rating, 0, 10, 5),
    findings: fitting(asked?.isCut ? findings.slice(0, -1) : findings, tokens), // the last one is incomplete
  }
  if (report.title === '' || report.summary === '' || (folded(report.summary) === folded(report.title) && report.findings.length === 0))
    throw invalid('empty')
  if (!asked) return report
  if (isRefusal(report.summary, asked.material)) throw invalid('refusal')
  if (isEcho(report.summary, asked.instructions, asked.material)) throw invalid('echo')
  if (isForeign(report.summary, asked.material)) throw invalid('language')
  return report
}

/** `before`: entities already drawn from the same text; relations may lead to them. */
export function parseExtraction(
  reply: string,
  brief: Extract<Brief, { kind: 'extract' }>,
  before: Extraction['entities'] = [],
  instructions = '',
): ParsedExtraction {
  const { text: said, isLoop } = withoutLoop(reply.slice(0, MAX_REPLY))
  const raw = parseJson(said)
  const parsed = Drawing.safeParse(raw)
  if (!parsed.success) throw invalid('form')
  // The schema itself, repeated, has none of its lists.
  if (!lists(brief.want).some((name) => Array.isArray((raw as { [key: string]: unknown })[name]))) throw invalid('form')
  const source = folded(`${brief.name}\n${brief.text}`)
  const found = parsed.data
  const units = brief.want.units ? unitsIn(found.knowledge_units, source, instructions) : []
  const shown = namesShown(brief)
  const supported = brief.want.graph ? entitiesIn(found.entities, source, shown) : []
  const { ontology } = brief
  const entities = ontology ? fittingEntities(supported, ontology) : ofTypes(supported, brief.types)
  const stated = brief.want.graph
    ? relationsIn(found.relations, [...before, ...entities], { source, shown, hasKinds: ontology !== undefined })
    : []
  const relations = ontology ? fittingRelations(stated, [...before, ...entities], ontology) : stated
  // There was something, but nothing in it can be kept: as good as no reply. A text that names nothing may well have no entities.
  const why = isLoop ? 'loop' : found.knowledge_units.length + found.entities.length > 0 ? 'unsupported' : 'empty'
  if (brief.want.units && units.length === 0) throw invalid(why)
  if (brief.want.graph && supported.length === 0 && found.entities.some(isNamed)) throw invalid(why)
  const lost = (kind: string, before: readonly unknown[], after: readonly unknown[]) =>
    before.length > after.length ? { [kind]: before.length - after.length } : {}
  const some = (kind: string, n: number) => (n > 0 ? { [kind]: n } : {})
  return {
    units,
    entities,
    relations,
    dropped: {
      ...(isLoop ? { repeated: 1 } : {}),
      ...(brief.want.units ? lost('units', found.knowledge_units, units) : {}),
      ...(brief.want.graph
        ? {
            ...lost('entities', found.entities, supported),
            ...lost('types', supported, entities),
            ...lost('relations', found.relations, stated),
            ...lost('kinds', stated, relations),
            ...some('types_outside', countOutside(entities)),
            ...some('kinds_outside', countOutside(relations)),
          }
        : {}),
    },
  }
}

/** A statement that repeats the instructions, or their examples, is not from the material. */
function unitsIn(raw: readonly unknown[], source: string, instructions: string): readonly string[] {
  const known = triplesOf(source)
  const kept = raw.flatMap((value) => {
    // Some models wrap each statement in an object.
    const said = typeof value === 'object' && value !== null ? Object.values(value)[0] : value
    const unit = typeof said === 'string' ? line(said, bounds.unit + 1) : ''
    return unit !== '' && unit.length <= bounds.unit && isBorne(folded(unit), known) && !isEcho(unit, instructions, source) ? [unit] : []
  })
  return [...new Set(kept)].slice(0, bounds.units)
}

function entitiesIn(raw: readonly unknown[], source: string, shown: readonly string[]): Extraction['entities'] {
  const kept = new Map<string, Extraction['entities'][number]>()
  for (const value of raw) {
    const parsed = Entity.safeParse(value)
    if (!parsed.success) continue
    const name = line(parsed.data.name, bounds.name + 1)
    const key = folded(name)
    if (name.length > bounds.name || kept.has(key) || !/[\p{L}\p{N}]/u.test(name) || !occurs(source, key)) continue
    kept.set(key, {
      name,
      type: line(parsed.data.type, bounds.type),
      description: line(ownWords(parsed.data.description, source, shown), bounds.description),
    })
    if (kept.size === bounds.entities) break
  }
  return [...kept.values()]
}

/**
 * One end must be an entity that was kept. The other need not be one if the text contains its words: then it is a statement about the
 * first.
 */
function relationsIn(
  raw: readonly unknown[],
  entities: Extraction['entities'],
  { source: text, shown, hasKinds }: { readonly source: string; readonly shown: readonly string[]; readonly hasKinds: boolean },
): Extraction['relations'] {
  const words = new Set(terms(text))
  const names = new Map(entities.map((entity) => [folded(entity.name), entity.name]))
  const kept = new Map<string, Extraction['relations'][number]>()
  for (const value of raw) {
    const parsed = Relation.safeParse(value)
    if (!parsed.success) continue
    const ends = [parsed.data.source, parsed.data.target]
    const known = ends.map((end) => names.get(folded(end)))
    const [source, target] = ends.map((end, i) => known[i] ?? (isSaid(end, words) ? line(end, bounds.name) : undefined))
    if (source === undefined || target === undefined || source === target || known.every((one) => one === undefined)) continue
    const description = line(ownWords(parsed.data.description, text, shown), bounds.description)
    const key = JSON.stringify([source, target, description])
    const kind = hasKinds ? { relation: line(parsed.data.relation, bounds.type) } : {}
    if (!kept.has(key))
      kept.set(key, { source, target, description, strength: clamped(parsed.data.strength, 1, bounds.strength, 1), ...kind })
    if (kept.size === bounds.relations) break
  }
  return [...kept.values()]
}

function lists({ units, graph }: Extract<Brief, { kind: 'extract' }>['want']): readonly string[] {
  return [...(units ? ['knowledge_units'] : []), ...(graph ? ['entities', 'relations'] : [])]
}

function isNamed(value: unknown): boolean {
  const parsed = Entity.safeParse(value)
  return parsed.success && parsed.data.name.trim() !== ''
}

function fitting(raw: readonly unknown[], tokens: number): Report['findings'] {
  const out: { summary: string; explanation: string }[] = []
  let left = tokens
  for (const value of raw.slice(0, bounds.findings)) {
    const parsed = Finding.safeParse(value)
    if (!parsed.success) continue
    const finding = { summary: printable(parsed.data.summary), explanation: printable(parsed.data.explanation) }
    const cost = countTokens(finding.summary) + countTokens(finding.explanation)
    if (finding.summary === '' || cost > left) continue
    left -= cost
    out.push(finding)
  }
  return out
}

function clamped(value: number, min: number, max: number, otherwise: number): number {
  return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : otherwise
}

/** Without control characters and halves of characters, which no index and no reader wants. */
function printable(value: string): string {
  return value.replace(/(?![\n\t])[\p{Cc}\p{Cs}\uFFFD]/gu, '').trim()
}

/** One printable line of at most so many characters. */
export function line(value: string, max: number): string {
  return printable(value)
    .replace(/\s+/g, ' ')
    .slice(0, max)
    .replace(/\p{Cs}$/u, '')
}
