/**
 * What in a model's reply fits the corpus's ontology. Strict: the rest is left out; open: it is kept and marked as outside. A relation whose ends are
 * reversed is turned round. Pure.
 */
import { isKindOf, namedIn, type Ontology } from '../core/ontology'
import type { Extraction } from '../core/strategy'

type Entities = Extraction['entities']
type Relations = Extraction['relations']

/** Each type in the ontology's words. */
export function fittingEntities(entities: Entities, { mode, types }: Ontology): Entities {
  if (types.length === 0) return entities
  const names = types.map(({ name }) => name)
  return entities.flatMap((one) => {
    const type = namedIn(one.type, names)
    if (type !== undefined) return [{ ...one, type }]
    return mode === 'strict' ? [] : [{ ...one, outside: true as const }]
  })
}

/** `relation` is what the model calls each; afterwards the ontology's word for it. `entities`: those that fit, with their types. */
export function fittingRelations(relations: Relations, entities: Entities, ontology: Ontology): Relations {
  if (ontology.relations.length === 0) return relations.map(({ relation: _, ...one }) => one)
  const types = new Map(entities.map(({ name, type }) => [name, type]))
  const names = ontology.relations.map(({ name }) => name)
  return relations.flatMap((one): Relations => {
    const name = one.relation === undefined ? undefined : namedIn(one.relation, names)
    const wanted = ontology.relations.find((type) => type.name === name)
    const fits = (subject: string, object: string): boolean =>
      isOf(ontology, types.get(subject), wanted?.subjects) && isOf(ontology, types.get(object), wanted?.objects)
    const { relation: _, ...bare } = one
    if (wanted && fits(one.source, one.target)) return [{ ...bare, relation: wanted.name }]
    if (wanted && fits(one.target, one.source)) return [{ ...bare, source: one.target, target: one.source, relation: wanted.name }]
    return ontology.mode === 'strict' ? [] : [{ ...bare, outside: true as const }]
  })
}

/** Anything that is not an entity of the reply has no type. */
function isOf(ontology: Ontology, type: string | undefined, wanted: readonly string[] = []): boolean {
  return wanted.length === 0 || (type !== undefined && isKindOf(ontology, type, wanted))
}

/** How many of these do not fit and were kept. */
export function countOutside(all: readonly { readonly outside?: true }[]): number {
  return all.filter(({ outside }) => outside).length
}
