/**
 * What a chunk mentions and relates, with the things meant instead of the names. A chunk of a document that has the name means that document's thing; any
 * other means the thing whose documents are most similar to the passages that say the name.
 */
import type { GraphReader } from '../graph/reader'
import type { Change } from '../graph/types'
import { passageId } from '../ids'
import { accumulate, cosine } from '../vectors'
import { KNOWLEDGE, type Knowledge, packedKnowledge, type Related } from './knowledge-row'
import { ABOUT, type Mentioned, mentionsOf } from './mention-list'
import { type Remention, remention } from './mentions'
import { contextOf } from './namesakes'
import { type Rewritten, updateRelations } from './relations'
import { saidKnowledge, saidMentions } from './said'
import { nameId, type Sense } from './sense-list'
import { unitAt, writtenUnits } from './units'

/** What a name may mean, in order; among equally likely ones, the first. Empty: the name itself. */
export type Meanings = readonly (Sense & { readonly context: Int32Array })[]

export function meaningsOf(graph: GraphReader, senses: readonly Sense[]): Meanings {
  return senses.map((sense) => {
    const context = new Int32Array(graph.dimensions)
    for (const id of sense.documents) {
      const document = graph.document(id)
      if (document) accumulate(context, contextOf(graph, document))
    }
    return { ...sense, context }
  })
}

/** The patch that makes these chunks mean, by each of these names, what it stands for now. */
export function replaceSenses(graph: GraphReader, wanted: ReadonlyMap<string, ReadonlyMap<string, Meanings>>): Change[] {
  const mentions: Remention[] = []
  const relations: Rewritten[] = []
  const rows: Change[] = []
  for (const [chunk, meanings] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const said = saidMentions(graph, chunk)
    const renamed = new Map<string, string>()
    const after = said.map((one): Mentioned => {
      const own = meanings.get(one.key)
      if (!own) return one
      const entity = chooseSense(graph, own, chunk, one)
      renamed.set(nameId(one.key), entity).set(one.entity, entity)
      return { ...one, entity }
    })
    if (after.some(({ entity }, i) => entity !== said[i]?.entity))
      mentions.push({ chunk, before: mentionsOf(graph, chunk), after: after.sort(byEntity) })
    const known = saidKnowledge(graph, chunk)
    const then = known && renameEntities(known, renamed)
    if (!known || !then) continue
    rows.push({ op: 'put-value', space: KNOWLEDGE, key: chunk, value: packedKnowledge(then) })
    const moved = (one: Related): boolean => renamed.has(one.source) || renamed.has(one.target)
    const held = new Set(then.relations.filter((_, i) => known.relations[i] && moved(known.relations[i])))
    relations.push({
      chunk,
      before: { ...known, relations: known.relations.filter(moved) },
      after: { ...then, relations: then.relations.filter((one) => held.has(one)) },
    })
  }
  return [...remention(graph, mentions), ...rows, ...updateRelations(graph, relations)]
}

function chooseSense(graph: GraphReader, meanings: Meanings, chunk: string, mention: Mentioned): string {
  const [first] = meanings
  if (!first) return nameId(mention.key)
  if (mention.units[0] === ABOUT) {
    const holders = new Set(graph.placements(chunk).map((place) => place.document))
    const own = meanings.find(({ documents }) => documents.some((id) => holders.has(id)))
    if (own) return own.entity
  }
  const context = contextIn(graph, chunk, mention)
  return meanings.reduce((best, one) => (cosine(context, one.context) > cosine(context, best.context) ? one : best), first).entity
}

/** Sum of the vectors of the passages that say the name. */
function contextIn(graph: GraphReader, id: string, { units }: Mentioned): Int32Array {
  const sum = new Int32Array(graph.dimensions)
  const chunk = graph.chunk(id)
  const said = units.filter((unit) => unit !== ABOUT)
  const passages = new Set(said.flatMap((unit) => (chunk && unitAt(chunk, unit, () => writtenUnits(graph, id))?.passage) ?? []))
  for (const passage of passages) accumulate(sum, graph.vector(passageId(id, passage)) ?? [])
  if (passages.size === 0) accumulate(sum, graph.vector(id) ?? [])
  return sum
}

/** Undefined where nothing in it is renamed. */
function renameEntities(known: Knowledge, renamed: ReadonlyMap<string, string>): Knowledge | undefined {
  const now = (id: string): string => renamed.get(id) ?? id
  const entities = known.entities.map((one) => ({ ...one, entity: now(one.entity) })).sort(byEntity)
  const relations = known.relations.map((one): Related => {
    const [source = '', target = ''] = [now(one.source), now(one.target)].sort()
    return { ...one, source, target, ...(one.kind ? { kind: { ...one.kind, subject: now(one.kind.subject) } } : {}) }
  })
  const changed = (one: { readonly source: string; readonly target: string }, i: number): boolean =>
    one.source !== known.relations[i]?.source || one.target !== known.relations[i]?.target
  const moved = entities.some(({ entity }, i) => entity !== known.entities[i]?.entity) || relations.some(changed)
  return moved ? { ...known, entities, relations } : undefined
}

function byEntity(a: { readonly entity: string }, b: { readonly entity: string }): number {
  return a.entity < b.entity ? -1 : 1
}
