/**
 * What is wrong with a corpus's worked example: it is checked against its passage by the parser of replies (replies.ts), so that no example
 * is kept that would fail as a reply. Pure.
 */
import type { GivenExample } from '../core/guidance'
import type { Brief } from '../core/strategy'
import { folded } from './occurs'
import { type ParsedExtraction, parseExtraction } from './replies'

export type ExtractBrief = Extract<Brief, { kind: 'extract' }>
export type Kinds = Pick<ExtractBrief, 'types' | 'ontology'>

export interface ExampleFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What an extraction of the passage must return. */
export function passageBrief(text: string, kinds: Kinds): ExtractBrief {
  return { kind: 'extract', name: '', text, want: { units: false, graph: true }, ...kinds }
}

/** The parts of an example that extraction would not have kept. */
export function exampleFaults(example: GivenExample, kinds: Kinds): readonly ExampleFault[] {
  const { entities, relations } = example
  const types = kinds.ontology ? kinds.ontology.types.map(({ name }) => name) : (kinds.types ?? [])
  const faults: ExampleFault[] = entities.flatMap((entity, i): ExampleFault[] => {
    const at = ['entities', i] as const
    if (entities.findIndex((one) => folded(one.name) === folded(entity.name)) < i)
      return [{ path: [...at, 'name'], message: `“${entity.name}” occurs twice` }]
    if (kept(example, {}, [entity]).entities.length === 0)
      return [{ path: [...at, 'name'], message: `“${entity.name}” does not occur in \`text\`` }]
    if (kept(example, kinds, [entity]).entities.length > 0) return []
    return [{ path: [...at, 'type'], message: `“${entity.type}” is no type of this corpus, which has ${types.join(', ')}` }]
  })
  if (faults.length > 0) return faults
  return relations.flatMap((relation, i): ExampleFault[] => {
    const at = ['relations', i] as const
    if (kept(example, {}, entities, [relation]).relations.length === 0)
      return [{ path: at, message: 'must join two different names that `text` has, at least one of them among `entities`' }]
    if (kept(example, kinds, entities, [relation]).relations.length > 0) return []
    return [{ path: [...at, 'relation'], message: `“${relation.relation ?? ''}” is no relation that this corpus has between these two` }]
  })
}

/** As a reply with this content. */
function kept(
  { text }: GivenExample,
  kinds: Kinds,
  entities: GivenExample['entities'],
  relations: GivenExample['relations'] = [],
): Pick<ParsedExtraction, 'entities' | 'relations'> {
  try {
    return parseExtraction(JSON.stringify({ entities, relations }), passageBrief(text, kinds))
  } catch {
    return { entities: [], relations: [] } // nothing of it is kept
  }
}
