/** Which of the types that a corpus wants an entity has: a model without a grammar writes types in its own words. */
import { namedIn } from '../core/ontology'
import type { Extraction } from '../core/strategy'

type Entities = Extraction['entities']

/** The wanted types among these (none given: all), each in the list's spelling. */
export function ofTypes(entities: Entities, types: readonly string[] = []): Entities {
  if (types.length === 0) return entities
  return entities.flatMap((one) => {
    const type = namedIn(one.type, types)
    return type === undefined ? [] : [{ ...one, type }]
  })
}
