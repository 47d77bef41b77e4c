/** A passage in the form that the keyword index gets: terms joined by spaces, the same when it is added and removed. */
import { passageTerms } from '../../src/core/graph/passage-terms'
import type { Chunk } from '../../src/core/graph/types'
import { terms } from '../../src/core/text/terms'
import { PASSAGES } from './rows'

/** A chunk and the number of its row. */
export interface Numbered {
  readonly n: number
  readonly chunk: Chunk
}

export type IndexRow = readonly [row: number, title: string, text: string]

export function indexRows({ n, chunk }: Numbered): IndexRow[] {
  if (chunk.passages.length > PASSAGES) throw new Error(`graph: chunk ${chunk.id} has more than ${PASSAGES} passages`)
  const title = terms(chunk.title, chunk.language).join(' ')
  return passageTerms(chunk).map((own, ordinal) => [n * PASSAGES + ordinal, title, own.join(' ')])
}
