/**
 * Entities and relations of GraphRAG or LightRAG, brought to the documents whose passages they came from. Each goes to the passages that say it, with an
 * offset in the document. A description written over several documents would stay with one of them when another is forgotten, so each document gets only
 * those of its sentences that the document's own words make up.
 */
import { graphLimits } from '../../contract/brought'
import { storable } from '../../contract/storable'
import { isSaid } from '../../core/builders/extracted-knowledge'
import { isNamedIn, type SentGraph } from '../../core/text/brought'
import { nameKey } from '../../core/text/names'
import { sentences } from '../../core/text/sentences'
import { terms } from '../../core/text/terms'

export interface PeerEntity {
  readonly name: string
  readonly type: string
  readonly description: string
  /** Ids of the passages it was found in. */
  readonly passages: readonly string[]
}

export interface PeerRelation extends Omit<PeerEntity, 'name' | 'type'> {
  readonly source: string
  readonly target: string
  /** Summed over its passages. */
  readonly weight: number
}

export interface PeerPassage {
  readonly text: string
  /** Ids of documents that contain it. */
  readonly documents: readonly string[]
}

export interface PeerGraph {
  readonly entities: readonly PeerEntity[]
  readonly relations: readonly PeerRelation[]
  readonly passages: ReadonlyMap<string, PeerPassage>
}

/** Nothing of these could be brought. */
export interface LeftOut {
  readonly entities: number
  readonly relations: number
  readonly descriptions: number
}

export interface Taken {
  readonly entities: number
  readonly relations: number
  readonly left_out: LeftOut
}

type Item = PeerEntity | PeerRelation
const isRelation = (item: Item): item is PeerRelation => 'source' in item
const namesOf = (item: Item): readonly string[] => (isRelation(item) ? [item.source, item.target] : [item.name])

export class GraphBringer {
  readonly #graph: PeerGraph
  /** Passages too: they are the documents where these have no text. */
  readonly #byDocument = new Map<string, Set<Item>>()
  readonly #brought = new Set<Item>()
  readonly #told = new Set<Item>() // with at least a part of its description

  constructor(graph: PeerGraph) {
    this.#graph = graph
    for (const item of [...graph.entities, ...graph.relations])
      for (const document of [...this.#documentsOf(item), ...item.passages])
        this.#byDocument.set(document, (this.#byDocument.get(document) ?? new Set()).add(item))
  }

  /** Undefined: nothing of the graph came from this document. */
  of(document: string, text: string): SentGraph | undefined {
    const items = this.#byDocument.get(document)
    if (!items) return undefined
    const own = new OwnText(text)
    const entities: SentGraph['entities'][number][] = []
    const relations: SentGraph['relations'][number][] = []
    for (const item of items) {
      const found = item.passages.flatMap((id) => this.#within(own, document, id)).filter(({ said }) => isSaidIn(item, said))
      if (found.length === 0 || !isShort(item)) continue
      this.#brought.add(item)
      const sources = this.#graph.passages.has(document) ? new Set(item.passages) : this.#documentsOf(item)
      const description = this.#descriptionIn(item, own, sources.size)
      const room = isRelation(item) ? graphLimits.relations - relations.length : graphLimits.entities - entities.length
      for (const [i, { said, start, end }] of found.slice(0, room).entries()) {
        const place = { description: i === 0 ? description : '', start, end }
        if (!isRelation(item)) entities.push({ name: spelled(item.name, said.text), type: item.type, ...place })
        else
          relations.push({
            source: spelled(item.source, said.text),
            target: spelled(item.target, said.text),
            strength: strengthOf(item),
            ...place,
          })
      }
    }
    return fittedGraph({ entities, relations })
  }

  /** What was taken over by now. */
  get taken(): Taken {
    const { entities, relations } = this.#graph
    const [met, related] = [entities, relations].map((all) => all.filter((one) => this.#brought.has(one)).length)
    const untold = [...this.#brought].filter((one) => one.description !== '' && !this.#told.has(one)).length
    const leftOut = { entities: entities.length - (met ?? 0), relations: relations.length - (related ?? 0), descriptions: untold }
    return { entities: met ?? 0, relations: related ?? 0, left_out: leftOut }
  }

  #documentsOf({ passages }: Item): ReadonlySet<string> {
    return new Set(passages.flatMap((id) => this.#graph.passages.get(id)?.documents ?? []))
  }

  #within(own: OwnText, document: string, id: string) {
    const passage = this.#graph.passages.get(id)
    return passage && (document === id || passage.documents.includes(document)) ? own.place(passage.text) : []
  }

  #descriptionIn(item: Item, own: OwnText, sources: number): string {
    const whole = item.description
    const text =
      sources > 1
        ? sentencesOf(whole)
            .filter((one) => own.says(one))
            .join(' ')
        : whole
    if (text !== '') this.#told.add(item)
    return clipped(text)
  }
}

interface Said {
  readonly text: string
  readonly sentences: readonly string[]
  readonly words: ReadonlySet<string>
}

/** A document's text, and what is known about its passages. */
class OwnText {
  readonly #text: string
  readonly #places = new Map<string, readonly { readonly said: Said; readonly start: number; readonly end: number }[]>()
  #words: ReadonlySet<string> | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Empty: it is not in the text, letter for letter but for the white space around it. */
  place(passage: string) {
    const known = this.#places.get(passage)
    if (known) return known
    const text = passage.trim()
    const start = text === '' ? -1 : this.#text.indexOf(text)
    const said = { text, sentences: sentencesOf(text), words: new Set(terms(text)) }
    const found = start < 0 ? [] : [{ said, start, end: start + text.length }]
    this.#places.set(passage, found)
    return found
  }

  /** Do all words of the sentence stand in the text? */
  says(sentence: string): boolean {
    this.#words ??= new Set(terms(this.#text))
    return isSaid(sentence, this.#words)
  }
}

/** Of a relation, one end must be named, and the other's words be there: then it is at least a statement about the first. */
function isSaidIn(item: Item, { sentences: said, words }: Said): boolean {
  const names = namesOf(item)
  if (isRelation(item) && nameKey(item.source) === nameKey(item.target)) return false
  return names.some((one) => isNamedIn(one, said)) && names.every((one) => isSaid(one, words) || isNamedIn(one, said))
}

const isShort = (item: Item): boolean => namesOf(item).every((name) => name.length <= graphLimits.name)

function sentencesOf(text: string): readonly string[] {
  return sentences(text).map(({ start, end }) => text.slice(start, end).trim())
}

/** As the text spells it: GraphRAG writes all names in capitals. */
function spelled(name: string, text: string): string {
  const at = text.toLowerCase().indexOf(name.toLowerCase())
  const own = at < 0 ? '' : text.slice(at, at + name.length)
  return nameKey(own) === nameKey(name) ? own : name
}

function strengthOf({ weight, passages }: PeerRelation): number {
  return Math.min(graphLimits.strength, Math.max(1, Math.round(weight / Math.max(1, passages.length))))
}

function clipped(text: string): string {
  let kept = ''
  for (const one of sentencesOf(text)) {
    if (kept.length + one.length + 1 > graphLimits.description) break
    kept = kept === '' ? one : `${kept} ${one}`
  }
  return kept === '' ? text.slice(0, graphLimits.description) : kept
}

/** Within the limit of a document's graph: what comes last is left out. */
export function fittedGraph({ entities, relations }: SentGraph): SentGraph | undefined {
  const clean = (text: string): string => storable(text)
  const graph = {
    entities: entities.map((one) => ({
      ...one,
      name: clean(one.name),
      type: clean(one.type.slice(0, graphLimits.type)),
      description: clean(one.description),
    })),
    relations: relations.map((one) => ({
      ...one,
      source: clean(one.source),
      target: clean(one.target),
      description: clean(one.description),
    })),
  }
  const sizeOf = (one: object): number => new TextEncoder().encode(JSON.stringify(one)).length + 1
  let left = graphLimits.bytes - 64
  const fits = (one: object): boolean => {
    left -= sizeOf(one)
    return left >= 0
  }
  const kept = { entities: graph.entities.filter(fits), relations: graph.relations.filter(fits) }
  return kept.entities.length + kept.relations.length > 0 ? kept : undefined
}
