/**
 * The index of documents by name: an ordered space, so that "which documents have this name" and "which names begin with these words" are each one range
 * read. One row per document.
 */
import type { Draft } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { DocumentRecord, Place } from '../graph/types'
import { fingerprint } from '../ids'
import { isOpener } from '../text/entities'
import { bareTitle, nameKey } from '../text/names'

const PERSONAL = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u
const CASELESS = /\p{Lo}/u
export const NAMES = 'names' // ordered; a name, then a fingerprint of the document that has it
const END = '!' // below every character of an encoded name, so that a name sorts before its longer namesakes
const AFTER = '~' // above all of them

/**
 * What others would call the document, the full name first; none if its name is only a word that any sentence may open with. Of a name of three or four
 * capitalised words at the head of a text without title the first and the last alone are a name too: "Barry Jarvis Wesson" is called "Barry Wesson". A
 * title already is what the thing is called.
 */
export function documentKeys(document: DocumentRecord): readonly string[] {
  const name = bareTitle(document.name)
  const key = nameKey(name)
  if (key.split(' ').every((word) => [...word].length < 2 || isOpener(word)) && !CASELESS.test(key)) return []
  const words = name.split(/\s+/)
  const person = document.title === '' && words.length >= 3 && words.length <= 4 && words.every((word) => PERSONAL.test(word))
  const short = nameKey(`${words[0]} ${words[words.length - 1]}`)
  return person && short !== key ? [key, short] : [key]
}

export function putNames(draft: Draft, document: DocumentRecord): void {
  for (const key of documentKeys(document)) draft.putPlace(NAMES, placeKey(key, document.id), document.id)
}

export function dropNames(draft: Draft, document: DocumentRecord): void {
  for (const key of documentKeys(document)) draft.dropPlace(NAMES, placeKey(key, document.id))
}

/** Documents with exactly this name, by id's fingerprint. */
export function documentsNamed(graph: GraphReader, key: string, limit: number): readonly string[] {
  const [from, to] = rangeOfName(key)
  return graph.order(NAMES, { from, to, limit }).map((place) => place.id)
}

/** Where the documents with exactly this name stand in the index. */
export function rangeOfName(key: string): readonly [from: string, to: string] {
  const from = encoded(key) + END
  return [from, from + AFTER]
}

/** Names that begin with these characters, in order of name. */
export function namesFrom(graph: GraphReader, head: string, limit: number): readonly { readonly key: string; readonly document: string }[] {
  return graph.order(NAMES, { ...rangeOf(head), limit }).map((place) => ({ key: decoded(place), document: place.id }))
}

/** Which of them will be asked for. */
export function preloadNames(graph: GraphReader, heads: readonly string[], limit: number): void {
  graph.preload?.({
    places: {
      space: NAMES,
      ranges: heads.map((head) => {
        const { from, to } = rangeOf(head)
        return [from, to]
      }),
      limit,
    },
  })
}

function rangeOf(head: string): { readonly from: string; readonly to: string } {
  const from = encoded(head)
  return { from, to: from + AFTER }
}

function placeKey(key: string, document: string): string {
  return encoded(key) + END + fingerprint(document)
}

/** ASCII and prefix-preserving: a key holds letters, marks, digits and spaces only, so neither `!` nor `~` nor a lone surrogate occurs in it. */
function encoded(key: string): string {
  return encodeURIComponent(key)
}

function decoded(place: Place): string {
  return decodeURIComponent(place.key.slice(0, place.key.indexOf(END)))
}
