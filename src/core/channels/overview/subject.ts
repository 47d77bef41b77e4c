/**
 * Which documents does a question about the whole corpus mean? Those whose titles say its words ("the report of 2023"; one letter may be wrong), those of a
 * kind ("the minutes"), or all. In a small corpus every title is compared, in a larger one those of documents that say the words.
 */
import type { GraphReader } from '../../graph/reader'
import type { DocumentRecord } from '../../graph/types'
import { chunkOf } from '../../ids'
import { nearlyMisspelt } from '../../reader/likeness'
import type { OverviewQuestion } from '../../reader/overview/question'
import type { Query } from '../../strategy'
import { distinct } from '../../text/terms'
import { inFilter } from './documents'
import { ANY_TEXT, KIND_OF_TEXT, wordsOf } from './text-words'

const limits = {
  titles: 256, // documents whose titles are all compared
  found: 200, // passages whose documents' titles are compared in a larger corpus
  named: 64, // documents one question is about
  near: 0.8, // how nearly a title says a word
  sides: 4, // of a comparison
} as const
const BETWEEN = /\s+(?:and|with|to|versus|vs|against|und|mit|gegen|et|avec|a|y|e|con)\.?\s+/g

/** What a phrase is about: all documents, or these. Absent: nothing in the corpus. */
export type Subject = { readonly kind: 'all' } | { readonly kind: 'documents'; readonly ids: readonly string[]; readonly isExact: boolean }

export interface Subjects {
  readonly whole: Subject
  /** Of a comparison: documents on each side; fewer than two where there are none to compare. */
  readonly sides: readonly (readonly string[])[]
}

/** Undefined: it mentions no text in the corpus, so it is a question like any other. */
export function subjectsOf(graph: GraphReader, query: Query, { kind, about, needs }: OverviewQuestion): Subjects | undefined {
  const titles = titlesFor(graph, query, about)
  if (kind === 'comparison') {
    const sides = sidesOf(about, titles)
    if (sides.length > 1) return { whole: { kind: 'documents', ids: distinct(sides.flat()), isExact: true }, sides }
  }
  const phrase = about.join(' ')
  const words = wordsOf(phrase)
  const saysKind = words.some((word) => ANY_TEXT.has(word) || KIND_OF_TEXT.has(word))
  if (kind === 'comparison' ? !saysKind : needs === 'kind' && !saysKind) return undefined
  const whole = subjectOf(words, titles) ?? together(about, titles)
  if (!whole || (needs === 'text' && about.length > 0 && !saysKind && whole.kind === 'documents' && !whole.isExact)) return undefined
  const sides = kind === 'comparison' && whole.kind === 'documents' ? whole.ids.slice(0, limits.sides).map((id) => [id]) : []
  return { whole, sides }
}

interface Title {
  readonly id: string
  readonly words: ReadonlySet<string>
}

function titlesFor(graph: GraphReader, query: Query, about: readonly string[]): readonly Title[] {
  const words = about.flatMap(wordsOf).filter((word) => !ANY_TEXT.has(word))
  if (words.length === 0) return []
  const ids =
    graph.count('document') <= limits.titles
      ? graph.page('document', '', limits.titles)
      : graph
          .match(words, limits.found, query.admits)
          .flatMap((hit) => graph.placements(chunkOf(hit.id)))
          .map((place) => place.document)
  return [...new Set(ids)]
    .flatMap((id) => graph.document(id) ?? [])
    .filter((one) => one.title !== '' && inFilter(graph, query, one))
    .map((one: DocumentRecord) => ({ id: one.id, words: new Set(wordsOf(one.title)) }))
}

/** "The letter of the vicar and the annual report": of each part a document. */
function together(about: readonly string[], titles: readonly Title[]): Subject | undefined {
  const sides = sidesOf(about, titles)
  return sides.length > 1 ? { kind: 'documents', ids: distinct(sides.flat()), isExact: true } : undefined
}

function subjectOf(words: readonly string[], titles: readonly Title[]): Subject | undefined {
  const own = words.filter((word) => !ANY_TEXT.has(word))
  const bare = own.filter((word) => !KIND_OF_TEXT.has(word))
  if (own.length === 0) return { kind: 'all' }
  const named = titled(own, titles) ?? (bare.length > 0 && bare.length < own.length ? titled(bare, titles) : undefined)
  // "The letters" where no title says so: all there is.
  return named ?? (bare.length === 0 ? { kind: 'all' } : undefined)
}

/** Documents whose title says all the words; of these, if there are any, those whose title says nothing else. */
function titled(words: readonly string[], titles: readonly Title[]): Subject | undefined {
  const said = titles.filter((title) => words.every((word) => nearlyMisspelt(word, title.words) >= limits.near))
  if (said.length === 0) return undefined
  const asked = new Set(words)
  const exact = said.filter((title) => [...title.words].every((word) => nearlyMisspelt(word, asked) >= limits.near))
  const chosen = exact.length > 0 ? exact : said
  return { kind: 'documents', ids: chosen.slice(0, limits.named).map((one) => one.id), isExact: exact.length > 0 }
}

/** The documents on each side, wherever the phrase can be divided so that both sides name some: "the reports of 2022 and 2023" as well. */
function sidesOf(about: readonly string[], titles: readonly Title[]): readonly (readonly string[])[] {
  const [phrase = '', other] = about
  const splits =
    other === undefined
      ? [...phrase.matchAll(BETWEEN)].map((match) => [phrase.slice(0, match.index), phrase.slice(match.index + match[0].length)] as const)
      : [[phrase, other] as const]
  for (const [first, second] of splits) {
    const [a, b] = [wordsOf(first), wordsOf(second)]
    const kinds = [...a, ...b].filter((word) => KIND_OF_TEXT.has(word))
    const [one, two] = [a, b].map((words) => sideOf(words, kinds, titles))
    if (one && two && !one.some((id) => two.includes(id))) return [one, two]
  }
  return []
}

/** A side that does not say what kind of text it is may have it from the other. */
function sideOf(words: readonly string[], kinds: readonly string[], titles: readonly Title[]): readonly string[] | undefined {
  if (words.length === 0) return undefined
  const lent = words.some((word) => KIND_OF_TEXT.has(word)) ? undefined : titled([...words, ...kinds], titles)
  const found = (kinds.length > 0 ? lent : undefined) ?? subjectOf(words, titles)
  return found?.kind === 'documents' ? found.ids : undefined
}
