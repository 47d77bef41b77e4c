/**
 * Builders' own rows as an asker may see them. A row that speaks for a chunk is seen with it; a text merged from several only with all of them.
 * Rows of a space that is not named here are not seen: who adds one that a walk reads says here whose it is.
 */
import { KNOWLEDGE } from '../builders/knowledge-row'
import { MENTIONS } from '../builders/mention-list'
import { SAME } from '../builders/resolution'
import { SENSES } from '../builders/sense-list'
import { WRITTEN, WRITTEN_VECTORS } from '../builders/units'
import type { Json, Value } from '../graph/types'
import { type Sight, texts } from './sight'

const OF_CHUNKS: ReadonlySet<string> = new Set([MENTIONS, KNOWLEDGE, WRITTEN, WRITTEN_VECTORS])
const CALIBRATION = 'calibration' // beside it stand sentences of texts
const TOLD = 'archrag/told' // [text, chunks it was merged from, size], by entity
/** Numbers, vectors and ids without a word of any text: how the corpus is laid out and weighed, which all its readers share. */
const LAYOUT = /^(?:archrag\/(?:\d+|entry|linking|state|missing)|erarag\/shape|cluerag|gorag\/.*)$/

export function visibleValue(
  space: string,
  key: string,
  value: Value | undefined,
  sight: Sight,
  sees: (id: string) => boolean,
): Value | undefined {
  if (value === undefined) return undefined
  if (OF_CHUNKS.has(space)) return sight.chunk(key) ? value : undefined
  if (LAYOUT.test(space) || (space === 'auto' && key === CALIBRATION)) return value
  if (!Array.isArray(value)) return undefined
  const list = value as readonly Json[]
  switch (space) {
    case TOLD:
      return texts(list[1]).every((chunk) => sight.chunk(chunk)) ? value : undefined
    case SAME:
      return texts(list).filter(sees)
    case SENSES:
      return visibleSenses(list, sight)
    default:
      return undefined
  }
}

/** [name, [entity, documents that bear the name]…]. */
function visibleSenses([name = '', senses]: readonly Json[], sight: Sight): Value | undefined {
  if (!Array.isArray(senses)) return undefined
  const seen = (senses as readonly (readonly [string, readonly string[]])[]).map(([entity, documents]) => [
    entity,
    documents.filter((id) => sight.document(id)),
  ])
  return [name, seen.filter(([, documents]) => (documents?.length ?? 0) > 0)] as Json
}
