/** Which of the types a corpus wants an entity has: a model without a grammar writes them in words of its own. */
import type { Extraction } from '../core/strategy'

type Entities = Extraction['entities']

/** Those of the types that are wanted (none: all), each type in the words of the list. */
export function ofTypes(entities: Entities, types: readonly string[] = []): Entities {
  if (types.length === 0) return entities
  return entities.flatMap((one) => {
    const type = wantedType(one.type, types)
    return type === undefined ? [] : [{ ...one, type }]
  })
}

/** As the corpus writes it, where the type is that one in other letters, its plural, or ends in it (“rock band” is a “band”); undefined where it is of none. */
function wantedType(said: string, types: readonly string[]): string | undefined {
  const own = wordsOf(said)
  return types.find((type) => wordsOf(type) === own) ?? types.find((type) => ` ${own}`.endsWith(` ${wordsOf(type)}`))
}

function wordsOf(type: string): string {
  return type
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ies$/u, 'y')
    .replace(/(?<=\p{L}{2}[^s])s$/u, '')
}
