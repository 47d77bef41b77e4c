/**
 * An ontology as a text model proposes it: what it is asked, and which parts of its reply are kept. A type or relation needs an example from the texts;
 * dangling references (a parent or an end that is not a type) are left out. Documents are fenced, and whatever one may have talked the model into is a name
 * of a few words that people read before it is set. Pure.
 */
import { z } from 'zod'
import { ontologySchema } from '../contract/ontology'
import { namedIn, type Ontology, ontologyFaults, ontologyLimits } from '../core/ontology'
import type { CountedOntology, SampledChunk } from '../core/ontology-counts'
import { invalid } from './faults'
import { fenceTexts } from './fence'
import { folded, occurs } from './occurs'
import { kindTurns } from './prompt-examples'
import type { TaskPrompt } from './prompts'
import { line } from './replies'
import { parseJson } from './reply-json'

const ROOM = 1200 // tokens of the reply
const max = { types: 16, relations: 16, examples: 3, name: 150 } as const

const LAW = [
  'The material is a sample of the texts of one collection. Propose the kinds of entities and relations that are worth drawing from the whole collection. Reply with JSON.',
  `"types": at most ${max.types} kinds of entities, those first that matter most, each with "name" (one or two words, singular, lower case), "description" (a few words on what one is), ` +
    '"parent" (the name of the type it is a kind of, or empty) and "examples" (up to 3 names of such entities, spelled exactly as in the material).',
  `"relations": at most ${max.relations} kinds of relations between them, each with "name" (a verb in one to three words, as in “works for”), "description", "subjects" and "objects" (names of types it leads from ` +
    'and to; empty: any) and "examples" (up to 3, each with "subject" and "object", names of entities spelled exactly as in the material).',
  'Propose nothing of which the material has no example. Write in the language of the material.',
] as const

export function proposalPrompt(texts: readonly string[]): TaskPrompt {
  const { law, block } = fenceTexts(texts)
  return {
    messages: [{ role: 'system', content: [...LAW, law].join('\n') }, ...kindTurns(), { role: 'user', content: block }],
    tokens: ROOM,
    schema: SCHEMA,
  }
}

const TEXT = { type: 'string' } as const
const NAMES = { type: 'array', items: TEXT } as const
/** A small model keeps naming until its limit is reached. */
const EXAMPLES = { maxItems: max.examples } as const
const SCHEMA = object({
  types: {
    type: 'array',
    maxItems: max.types,
    items: object({ name: TEXT, description: TEXT, parent: TEXT, examples: { ...NAMES, ...EXAMPLES } }),
  },
  relations: {
    type: 'array',
    maxItems: max.relations,
    items: object({
      name: TEXT,
      description: TEXT,
      subjects: NAMES,
      objects: NAMES,
      examples: { type: 'array', items: object({ subject: TEXT, object: TEXT }), ...EXAMPLES },
    }),
  },
})

function object(properties: { readonly [key: string]: unknown }): unknown {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

const text = z.preprocess((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''), z.string())
const rows = z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(z.unknown()))
const names = rows.transform((all) => all.flatMap((one) => (typeof one === 'string' ? [one] : [])))
const Reply = z.object({ types: rows, relations: rows })
const ProposedType = z.object({ name: text, description: text, parent: text, examples: names })
const ProposedRelation = z.object({ name: text, description: text, subjects: names, objects: names, examples: rows })
const Example = z.object({ subject: text, object: text })

export interface ParsedProposal {
  readonly ontology: Ontology
  readonly counted: CountedOntology
  readonly dropped: { readonly types: number; readonly relations: number }
}

/** Throws a `ModelError invalid` if nothing of it can be kept. */
export function parseProposal(reply: string, sample: readonly SampledChunk[]): ParsedProposal {
  const parsed = Reply.safeParse(parseJson(reply))
  if (!parsed.success) throw invalid('form')
  const said = parsed.data
  const texts = sample.map(({ text }) => folded(text))
  const types = typesIn(said.types, texts)
  const known = types.map(({ type }) => type.name)
  const relations = relationsIn(said.relations, { sample, texts, known })
  const fitting = within({
    mode: 'open',
    types: types.map(({ type }) => ({ ...type, ...parentOf(type.name, type.parent, known) })),
    relations: relations.map(({ relation }) => relation),
  })
  if (fitting.types.length + fitting.relations.length === 0)
    throw invalid(said.types.length + said.relations.length > 0 ? 'unsupported' : 'empty')
  return {
    ontology: fitting,
    counted: {
      types: types.slice(0, fitting.types.length).map(({ counted }) => counted),
      relations: relations.slice(0, fitting.relations.length).map(({ counted }) => counted),
    },
    dropped: { types: said.types.length - fitting.types.length, relations: said.relations.length - fitting.relations.length },
  }
}

function nameIn(raw: string): string | undefined {
  const name = line(raw, ontologyLimits.name + 1)
  return name.length <= ontologyLimits.name && /[\p{L}\p{N}]/u.test(name) ? name : undefined
}

const described = (raw: string): { readonly description?: string } => {
  const description = line(raw, ontologyLimits.description)
  return description === '' ? {} : { description }
}

function typesIn(raw: readonly unknown[], texts: readonly string[]) {
  const found: { readonly type: Ontology['types'][number]; readonly counted: CountedOntology['types'][number] }[] = []
  for (const value of raw) {
    const { success, data } = ProposedType.safeParse(value)
    const name = success ? nameIn(data.name) : undefined
    if (!success || name === undefined || found.length >= max.types) continue
    const examples = [...new Set(data.examples.map((one) => line(one, max.name)))].filter((one) =>
      texts.some((of) => occurs(of, folded(one))),
    )
    if (
      examples.length === 0 ||
      isSame(
        name,
        found.map(({ type }) => type.name),
      )
    )
      continue
    found.push({
      type: { name, ...described(data.description), parent: line(data.parent, ontologyLimits.name) },
      counted: { name, count: examples.length, examples: examples.slice(0, max.examples) },
    })
  }
  return found
}

function relationsIn(
  raw: readonly unknown[],
  {
    sample,
    texts,
    known,
  }: { readonly sample: readonly SampledChunk[]; readonly texts: readonly string[]; readonly known: readonly string[] },
) {
  const found: { readonly relation: Ontology['relations'][number]; readonly counted: CountedOntology['relations'][number] }[] = []
  const ends = (all: readonly string[]): string[] =>
    [...new Set(all.flatMap((one) => namedIn(one, known) ?? []))].slice(0, ontologyLimits.ends)
  for (const value of raw) {
    const { success, data } = ProposedRelation.safeParse(value)
    const name = success ? nameIn(data.name) : undefined
    if (
      !success ||
      name === undefined ||
      found.length >= max.relations ||
      isSame(
        name,
        found.map(({ relation }) => relation.name),
      )
    )
      continue
    const examples = data.examples.flatMap((one) => {
      const { success: isPair, data: pair } = Example.safeParse(one)
      if (!isPair) return []
      const [subject, object] = [line(pair.subject, max.name), line(pair.object, max.name)]
      const at = texts.findIndex((of) => occurs(of, folded(subject)) && occurs(of, folded(object)))
      const chunk = sample[at]
      return chunk && folded(subject) !== folded(object) ? [{ subject, object, document: chunk.document }] : []
    })
    if (examples.length === 0) continue
    const [subjects, objects] = [ends(data.subjects), ends(data.objects)]
    const between = { ...(subjects.length > 0 ? { subjects } : {}), ...(objects.length > 0 ? { objects } : {}) }
    found.push({
      relation: { name, ...described(data.description), ...between },
      counted: { name, count: examples.length, subjects, objects, examples: examples.slice(0, max.examples) },
    })
  }
  return found
}

/** In other letters, or its plural. */
function isSame(name: string, before: readonly string[]): boolean {
  return ontologyFaults({ mode: 'open', types: [...before, name].map((one) => ({ name: one })), relations: [] }).length > 0
}

function parentOf(own: string, said: string | undefined, known: readonly string[]): { readonly parent: string | undefined } {
  const parent = said ? namedIn(said, known) : undefined
  return { parent: parent === own ? undefined : parent }
}

/** As much of it as an ontology may hold: without parents that form a cycle, and without its last relations and types if it is too long. */
function within(whole: Ontology): Ontology {
  const isRound = ontologyFaults(whole).length > 0
  let { types, relations } = whole
  types = types.map(({ parent, ...type }) => (parent === undefined || isRound ? type : { ...type, parent }))
  while (types.length + relations.length > 0 && !ontologySchema.safeParse({ ...whole, types, relations }).success) {
    if (relations.length > 0) relations = relations.slice(0, -1)
    else types = types.slice(0, -1)
  }
  return { ...whole, types, relations }
}
