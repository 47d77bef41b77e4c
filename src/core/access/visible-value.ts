/**
 * Builders' own rows as an asker may see them. A row about a chunk is seen with it; a text merged from several only with all of them. Rows of a space that
 * neither this file nor its strategy's declaration (`isVisible`) mentions are not seen.
 */
import { INDEXED_UNITS, NAME_VECTORS } from '../builders/entry-vectors'
import { KNOWLEDGE } from '../builders/knowledge-row'
import { MENTIONS } from '../builders/mention-list'
import { SAME } from '../builders/resolution'
import { SAID_KNOWLEDGE } from '../builders/said'
import { SENSES } from '../builders/sense-list'
import { WRITTEN, WRITTEN_VECTORS } from '../builders/units'
import type { KeyedValue } from '../graph/reader'
import type { Json, Value } from '../graph/types'
import { type Sight, texts } from './sight'

const OF_CHUNKS: ReadonlySet<string> = new Set([MENTIONS, KNOWLEDGE, WRITTEN, WRITTEN_VECTORS, INDEXED_UNITS, SAID_KNOWLEDGE])

export interface Row {
  readonly space: string
  readonly key: string
  readonly value: Value
}

/**
 * May an asker who may not see everything see this row of a strategy's? `sees`: is this chunk visible to the asker? What holds numbers, vectors and
 * ids without a word of any text (how the corpus is laid out and weighed) all its readers share.
 */
export type ValueRule = (row: Row, sees: (chunk: string) => boolean) => boolean

export interface Viewer {
  readonly sight: Sight
  /** Of strategies' own rows. */
  readonly rule: ValueRule
  sees(id: string): boolean
}

export function visibleValue(
  { space, key, value }: Omit<Row, 'value'> & { readonly value: Value | undefined },
  { sight, rule, sees }: Viewer,
): Value | undefined {
  if (value === undefined) return undefined
  if (OF_CHUNKS.has(space)) return sight.chunk(key) ? value : undefined
  if (space === NAME_VECTORS) return sees(key) ? value : undefined
  if (rule({ space, key, value }, (chunk) => sight.chunk(chunk))) return value
  if (!Array.isArray(value)) return undefined
  const list = value as readonly Json[]
  switch (space) {
    case SAME:
      return texts(list).filter(sees)
    case SENSES:
      return visibleSenses(list, sight)
    default:
      return undefined
  }
}

/** Of one space; those that are seen as they stand are the same objects, since there may be thousands. */
export function visibleValues(space: string, values: readonly KeyedValue[], viewer: Viewer): readonly KeyedValue[] {
  const out: KeyedValue[] = []
  for (const one of values) {
    const seen = visibleValue({ space, ...one }, viewer)
    if (seen !== undefined) out.push(seen === one.value ? one : { key: one.key, value: seen })
  }
  return out
}

/** [name, [entity, documents that have the name]…]. */
function visibleSenses([name = '', senses]: readonly Json[], sight: Sight): Value | undefined {
  if (!Array.isArray(senses)) return undefined
  const seen = (senses as readonly (readonly [string, readonly string[]])[]).map(([entity, documents]) => [
    entity,
    documents.filter((id) => sight.document(id)),
  ])
  return [name, seen.filter(([, documents]) => (documents?.length ?? 0) > 0)] as Json
}
