/**
 * The index of documents by name: an ordered space, so that "which documents are named so" and "which names begin with these words"
 * are each one range read. One row per document.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, DocumentRecord, Place } from '../graph/types'
import { fingerprint } from '../ids'
import { bareTitle, nameKey } from '../text/names'

const NAMES = 'names'
const END = '!' // below every character of an encoded name, so that a name sorts before its longer namesakes
const AFTER = '~' // above all of them

/** What others would call the document; empty for one that has no name of its own. */
export function documentKey(document: DocumentRecord): string {
  return nameKey(bareTitle(document.name))
}

export function putName(document: DocumentRecord): Change[] {
  const key = documentKey(document)
  return key ? [{ op: 'put-place', space: NAMES, key: placeKey(key, document.id), id: document.id }] : []
}

export function dropName(document: DocumentRecord): Change[] {
  const key = documentKey(document)
  return key ? [{ op: 'drop-place', space: NAMES, key: placeKey(key, document.id) }] : []
}

/** Documents with exactly this name, by id's fingerprint. */
export function documentsNamed(graph: GraphReader, key: string, limit: number): readonly string[] {
  const from = encoded(key) + END
  return graph.order(NAMES, { from, to: from + AFTER, limit }).map((place) => place.id)
}

/** Names that begin with these characters, in order of name. */
export function namesFrom(graph: GraphReader, head: string, limit: number): readonly { readonly key: string; readonly document: string }[] {
  const from = encoded(head)
  return graph.order(NAMES, { from, to: from + AFTER, limit }).map((place) => ({ key: decoded(place), document: place.id }))
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
