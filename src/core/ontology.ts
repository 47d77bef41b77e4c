/**
 * What kinds of things and relations a corpus has, as its users say: types, each perhaps a kind of another, and relations with the types of
 * their ends. It reaches the prompts of extraction, and what a model replies is held against it (flows/ontology-fit.ts). Pure.
 */
import { canonicalJson } from './canonical-json'
import type { Json } from './graph/types'
import { fingerprint } from './ids'

export interface EntityType {
  readonly name: string
  readonly description?: string
  /** The type it is a kind of. */
  readonly parent?: string
}

export interface RelationType {
  readonly name: string
  readonly description?: string
  /** Types its subject may have, their kinds included; absent or empty: any. */
  readonly subjects?: readonly string[]
  readonly objects?: readonly string[]
}

/** `strict`: what does not fit is left out; `open`: it is kept and marked. Either way it is counted. */
export interface Ontology {
  readonly mode: 'open' | 'strict'
  readonly types: readonly EntityType[]
  /** Empty: relations are described, and of no type. */
  readonly relations: readonly RelationType[]
}

export const ontologyLimits = {
  types: 32,
  relations: 32,
  ends: 16, // types that a relation names for one of its ends
  name: 32, // characters
  description: 160, // characters
  bytes: 6000, // of all of it as JSON: it stands in every prompt
} as const

export interface OntologyFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What is wrong with it as a whole. */
export function ontologyFaults({ types, relations }: Ontology): readonly OntologyFault[] {
  const names = new Set(types.map(({ name }) => wordsOf(name)))
  const unknown = (name: string): string => `no type is called “${name}”`
  const faults: OntologyFault[] = [...repeated('types', types), ...repeated('relations', relations)]
  types.forEach(({ name, parent }, i) => {
    if (parent === undefined) return
    if (!names.has(wordsOf(parent))) faults.push({ path: ['types', i, 'parent'], message: unknown(parent) })
    else if (lineOf(types, parent).has(wordsOf(name)))
      faults.push({ path: ['types', i, 'parent'], message: 'a type cannot be a kind of itself' })
  })
  relations.forEach((relation, i) => {
    for (const end of ['subjects', 'objects'] as const)
      (relation[end] ?? []).forEach((name, j) => {
        if (!names.has(wordsOf(name))) faults.push({ path: ['relations', i, end, j], message: unknown(name) })
      })
  })
  return faults
}

function repeated(list: 'types' | 'relations', all: readonly { readonly name: string }[]): OntologyFault[] {
  return all.flatMap(({ name }, i) =>
    all.findIndex((one) => wordsOf(one.name) === wordsOf(name)) < i ? [{ path: [list, i, 'name'], message: `“${name}” occurs twice` }] : [],
  )
}

/** Names it, so that what was read with another is known. */
export function ontologyVersion(ontology: Ontology): string {
  return fingerprint('ontology', canonicalJson(JSON.parse(JSON.stringify(ontology)) as Json)).slice(0, 12)
}

/** As the list writes it, where what is said is that name in other letters, its plural, or ends in it (“rock band” is a “band”). */
export function namedIn(said: string, names: readonly string[]): string | undefined {
  const own = wordsOf(said)
  return names.find((name) => wordsOf(name) === own) ?? names.find((name) => ` ${own}`.endsWith(` ${wordsOf(name)}`))
}

/** Is a thing of this type one of those wanted? None wanted: of any type. */
export function isKindOf({ types }: Pick<Ontology, 'types'>, type: string, wanted: readonly string[] = []): boolean {
  const line = lineOf(types, type)
  return wanted.length === 0 || wanted.some((one) => line.has(wordsOf(one)))
}

/** A type and those it is a kind of. */
function lineOf(types: readonly EntityType[], name: string): ReadonlySet<string> {
  const line = new Set<string>()
  for (let at: string | undefined = wordsOf(name); at !== undefined && !line.has(at); ) {
    line.add(at)
    const own: string = at
    const parent = types.find((one) => wordsOf(one.name) === own)?.parent
    at = parent === undefined ? undefined : wordsOf(parent)
  }
  return line
}

function wordsOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ies$/u, 'y')
    .replace(/(?<=\p{L}{2}[^s])s$/u, '')
}
