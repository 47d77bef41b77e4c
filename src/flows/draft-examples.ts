/** A worked example for a passage: the reply of the extraction prompt, as far as the parser of replies accepts it and examples have room for it. */

import { workedExampleSchema, workedExamplesSchema } from '../contract/worked-examples'
import { exampleLimits, type GivenGuidance, type WorkedExample } from '../core/guidance'
import type { PromptForm } from '../ports/models'
import type { Passage } from './passages-sample'
import { type TaskPrompt, taskPrompt } from './prompts'
import { line, type ParsedExtraction, parseExtraction } from './replies'
import { exampleFaults, type Kinds, passageBrief } from './worked-examples'

const MIN = { entities: 2, relations: 1 } as const // fewer show nothing

export type ProposedExample = WorkedExample & { readonly document: string }

export interface Draft {
  readonly example?: ProposedExample
  /** Whether there was a reply. */
  readonly isRead: boolean
  readonly dropped: { readonly entities: number; readonly relations: number }
}

type Ask = (
  prompt: TaskPrompt,
  parse: (reply: string) => ParsedExtraction | 'unusable',
) => Promise<ParsedExtraction | 'unusable' | undefined>

export async function draftExample(passage: Passage, kinds: Kinds, given: GivenGuidance, form: PromptForm, ask: Ask): Promise<Draft> {
  const brief = { ...passageBrief(passage.text, kinds), ...given }
  const drawn = await ask(taskPrompt(brief, '', form), (reply) => {
    try {
      return parseExtraction(reply, brief)
    } catch {
      return 'unusable' // counted as an example that was left out
    }
  })
  if (drawn === undefined) return { isRead: false, dropped: { entities: 0, relations: 0 } }
  if (drawn === 'unusable') return { isRead: true, dropped: { entities: 0, relations: 0 } }
  return standing(passage, kinds, drawn)
}

/** The part that fits the ontology, whichever mode that has: an example shows how it is meant. */
function standing({ text, document }: Passage, kinds: Kinds, { entities, relations, dropped }: ParsedExtraction): Draft {
  const inside = entities.filter(({ outside, type }) => !outside && /[\p{L}\p{N}]/u.test(type))
  const names = new Set(inside.map(({ name }) => name))
  const lost = new Set(entities.flatMap(({ name }) => (names.has(name) ? [] : [name])))
  const between = relations.filter(
    ({ source, target, outside }) => !outside && !lost.has(source) && !lost.has(target) && (names.has(source) || names.has(target)),
  )
  const counted = (kind: string): number => dropped[kind] ?? 0
  const parsed = workedExampleSchema.safeParse({
    text,
    document,
    entities: inside.slice(0, exampleLimits.entities).map(({ name, type, description }) => ({
      name,
      type: line(type, exampleLimits.type),
      description: line(description, exampleLimits.description),
    })),
    relations: between.slice(0, exampleLimits.relations).map(({ outside: _, description, ...one }) => ({
      ...one,
      description: line(description, exampleLimits.description),
    })),
  })
  const left = {
    entities: counted('entities') + counted('types') + entities.length - inside.length,
    relations: counted('relations') + counted('kinds') + relations.length - between.length,
  }
  const example = parsed.success ? withoutFaults({ ...parsed.data, document }, kinds) : undefined
  return { isRead: true, dropped: left, ...(example ? { example } : {}) }
}

/** In the form that the settings accept; relations whose ends had no room are left out. Undefined: too little is left. */
function withoutFaults(example: ProposedExample, kinds: Kinds): ProposedExample | undefined {
  const faulty = new Set(exampleFaults(example, kinds).flatMap(({ path: [list, i] }) => (list === 'relations' ? [i] : [])))
  const kept = { ...example, relations: example.relations.filter((_, i) => !faulty.has(i)) }
  const isEnough = kept.entities.length >= MIN.entities && kept.relations.length >= MIN.relations
  return isEnough && exampleFaults(kept, kinds).length === 0 ? kept : undefined
}

/** As many as the settings hold, the richest last: a model writes as much as the last example did. */
export function fitting(examples: readonly ProposedExample[]): ProposedExample[] {
  const size = ({ entities, relations }: ProposedExample): number => entities.length + relations.length
  const kept = [...examples].sort((a, b) => size(a) - size(b))
  while (kept.length > 0 && !workedExamplesSchema.safeParse(kept).success) kept.pop()
  return kept
}
