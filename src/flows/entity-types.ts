/** Which of the types that a corpus wants an entity has: a model without a grammar writes them in its own words. */
import { namedIn } from '../core/ontology'
import type { Extraction } from '../core/strategy'

type Entities = Extraction['entities']

/** Those of the types that are wanted (none: all), each type in the words of the list. */
export function ofTypes(entities: Entities, types: readonly string[] = []): Entities {
  if (types.length === 0) return entities
  return entities.flatMap((one) => {
    const type = namedIn(one.type, types)
    return type === undefined ? [] : [{ ...one, type }]
  })
}
