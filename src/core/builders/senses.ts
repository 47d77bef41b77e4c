/**
 * One spelling, several things: if documents with one name are clearly about different things (namesakes.ts), each thing is a separate entity, and every
 * other mention of the name goes with the thing whose documents are most similar to its passage. Nothing is remembered: only the documents with the name
 * and the mention's own passage decide, so that neither the order of arrival nor what has been deleted matters. Other builders write mentions and relations
 * by name; this one follows them and puts the thing in the name's place.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, DocumentRecord, Patch } from '../graph/types'
import type { Builder, Delta } from '../strategy'
import { KNOWLEDGE } from './knowledge-row'
import { MENTIONS } from './mention-list'
import { bearersOf, borneBy, distinguishNamesakes } from './namesakes'
import { chunksAside, saidMentions } from './said'
import { nameId, packedSenses, SENSES, type Sense, sensesOf, sharedName } from './sense-list'
import { type Meanings, meaningsOf, replaceSenses } from './sense-moves'

const MAX = 500 // chunks a name may be in to be told apart: each may be written again when a namesake comes
const PAGE = 500 // documents read at a time where all are looked at

/** `writers`: builders that write mentions or relations by name. */
export const sensesBuilder = (writers: readonly string[]): Builder => ({
  name: 'senses',
  builds: [],
  follows: writers,
  update(graph, delta) {
    const wanted = new Map<string, Map<string, Meanings>>() // by chunk and key: what the name stands for now
    const rows: Change[] = []
    for (const [key, { moved, chunks }] of concerned(graph, delta)) {
      const before = sensesOf(graph, nameId(key))
      const after = decided(graph, key, before)
      rows.push(...kept(key, before, after))
      const divided = before.length > 1 || after.length > 1
      const all = divided && (moved || !same(before, after))
      const meanings = divided ? meaningsOf(graph, after) : undefined
      for (const chunk of !meanings ? [] : all ? mentioning(graph, key, [...before, ...after]) : chunks) {
        wanted.set(chunk, (wanted.get(chunk) ?? new Map<string, Meanings>()).set(key, meanings ?? []))
      }
    }
    return { patch: [...rows, ...replaceSenses(graph, wanted)], tasks: [] }
  },
})

interface Concern {
  /** A document with the name was added or removed: the basis of the decision has changed. */
  readonly moved: boolean
  /** Chunks whose mention of it was written again. */
  readonly chunks: Set<string>
}

/** Names a change is about, in order: those its documents have, and those its chunks say that more than one document has. */
function concerned(graph: GraphReader, { changes, documents }: Delta): ReadonlyMap<string, Concern> {
  const out = new Map<string, Concern>()
  const concern = (key: string, moved = false): Concern => {
    const known = out.get(key)
    const made = { moved: moved || (known?.moved ?? false), chunks: known?.chunks ?? new Set<string>() }
    out.set(key, made)
    return made
  }
  for (const document of changes ? [...documents.added, ...documents.removed] : everyDocument(graph)) {
    if (borneBy(document) !== '') concern(borneBy(document), true)
  }
  // Chunks of one change say the same names again and again.
  const shared = new Map<string, boolean>()
  const isShared = (key: string): boolean => {
    const known = shared.get(key) ?? sharedName(graph, nameId(key)) !== undefined
    shared.set(key, known)
    return known
  }
  if (graph.values(SENSES, '', 1).length > 0) {
    for (const key of uncounted(graph, changes ?? [])) concern(key)
    for (const chunk of fresh(changes ?? [])) {
      for (const { key } of saidMentions(graph, chunk)) if (out.has(key) || isShared(key)) concern(key).chunks.add(chunk)
    }
  }
  return new Map([...out].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Chunks whose mentions or relations other builders have written, by name. */
function fresh(changes: Patch): Set<string> {
  return new Set(changes.flatMap((one) => (one.op === 'put-value' && (one.space === MENTIONS || one.space === KNOWLEDGE) ? [one.key] : [])))
}

/** Shared names some chunk has ceased to say: few enough may say them now for them to be told apart. */
function uncounted(graph: GraphReader, changes: Patch): readonly string[] {
  return changes.flatMap((one) => (one.op === 'drop-edge' && one.kind === 'mentions' ? (sharedName(graph, one.target) ?? []) : []))
}

function decided(graph: GraphReader, key: string, before: readonly Sense[]): readonly Sense[] {
  const after = distinguishNamesakes(graph, key, bearersOf(graph, key))
  if (after.length < 2) return after
  const ids = new Set([nameId(key), ...before.map((one) => one.entity), ...after.map((one) => one.entity)])
  const mentions = [...ids].reduce((sum, id) => sum + graph.degreeTo('mentions', id), 0)
  return mentions <= MAX ? after : [{ entity: nameId(key), documents: after.flatMap((one) => one.documents).sort() }]
}

function kept(key: string, before: readonly Sense[], after: readonly Sense[]): Change[] {
  if (same(before, after)) return []
  if (after.length === 0) return [{ op: 'drop-value', space: SENSES, key: nameId(key) }]
  return [{ op: 'put-value', space: SENSES, key: nameId(key), value: packedSenses(key, after) }]
}

function same(a: readonly Sense[], b: readonly Sense[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function mentioning(graph: GraphReader, key: string, senses: readonly Sense[]): Set<string> {
  const ids = new Set([nameId(key), ...senses.map((one) => one.entity)])
  const aside = [...ids].flatMap((id) => chunksAside(graph, id, null, MAX).map((place) => place.id)) // people decided otherwise
  return new Set([...[...ids].flatMap((id) => graph.edgesTo('mentions', id).map((edge) => edge.source)), ...aside])
}

function* everyDocument(graph: GraphReader): Generator<DocumentRecord> {
  for (let page = graph.page('document', '', PAGE); page.length > 0; page = graph.page('document', page[page.length - 1] ?? '', PAGE)) {
    for (const id of page) {
      const document = graph.document(id)
      if (document) yield document
    }
  }
}
