/** The model's units, checked: each must be about its chunk, and stands for the passage with which it shares most terms. A reply is data. */
import type { WrittenUnit } from '../../builders/units'
import type { Chunk, Vector } from '../../graph/types'
import { terms } from '../../text/terms'

const SHARED = 0.5 // share of a unit's terms that must occur in the chunk or its name; below that it is the model's own knowledge

export interface GroundedUnit extends WrittenUnit {
  readonly vector: Vector
}

export function grounded(chunk: Chunk, units: readonly { readonly text: string; readonly vector: Vector }[]): readonly GroundedUnit[] {
  const passages = chunk.passages.map((span) => new Set(terms(chunk.text.slice(span.start, span.end))))
  const known = new Set([...passages.flatMap((passage) => [...passage]), ...terms(chunk.name)])
  const distinct = new Map(units.map((unit) => [unit.text.trim(), unit.vector]))
  return [...distinct].flatMap(([text, vector]) => {
    const own = [...new Set(terms(text))]
    if (own.length === 0 || own.filter((term) => known.has(term)).length < SHARED * own.length) return []
    const shared = passages.map((passage) => own.filter((term) => passage.has(term)).length)
    return [{ text, vector, passage: Math.max(0, shared.indexOf(Math.max(...shared))) }]
  })
}
