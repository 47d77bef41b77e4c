/**
 * How a corpus's ontology is given to a model: in full, and in short for models that lose track of the task in a long prompt. It is from the corpus's
 * settings, not from a document.
 */
import type { Ontology, RelationType } from '../core/ontology'
import type { PromptForm } from '../ports/models'

const TEXT = { type: 'string' } as const

/** `isOurs`: the examples that follow are not the corpus's own. */
export function ontologyRules({ mode, types, relations }: Ontology, form: PromptForm, isOurs: boolean): readonly string[] {
  const isStrict = mode === 'strict'
  const lines: string[] = []
  if (types.length > 0) {
    const law = isStrict
      ? 'Name only entities of these types, and write the type in these words'
      : 'Write the type in these words, and in one of your own only where none of them fits'
    lines.push(`${law}: ${types.map((one) => typeWords(one, form)).join('; ')}.${isOurs ? ' The examples name others.' : ''}`)
  }
  if (relations.length > 0) {
    const law = isStrict
      ? 'State only relations of these kinds'
      : 'Write its kind in these words, and in one of your own only where none of them fits'
    lines.push(
      `Each of the "relations" also has "relation", its kind. ${law}: ${relations.map((one) => relationWords(one, form)).join('; ')}. ` +
        `"source" is the subject and "target" the object.${isOurs ? ' The examples have other kinds.' : ''}`,
    )
  }
  return lines
}

function typeWords({ name, parent, description }: Ontology['types'][number], form: PromptForm): string {
  if (form === 'short') return name
  const said = [...(parent === undefined ? [] : [`a kind of ${parent}`]), ...(description ? [description] : [])]
  return said.length > 0 ? `${name} (${said.join('; ')})` : name
}

function relationWords({ name, description, subjects = [], objects = [] }: RelationType, form: PromptForm): string {
  const ends = (all: readonly string[]): string => (all.length > 0 ? all.join(' or ') : 'anything')
  const between = subjects.length + objects.length > 0 ? [`${ends(subjects)} → ${ends(objects)}`] : []
  const said = form === 'short' ? between : [...between, ...(description ? [description] : [])]
  return said.length > 0 ? `${name} (${said.join('; ')})` : name
}

/** Schemas of a type and of a relation's kind, where the ontology has any. */
export function ontologySchemas({ mode, types, relations }: Ontology): { readonly type?: unknown; readonly relation?: unknown } {
  const named = (all: readonly { readonly name: string }[]): unknown =>
    mode === 'strict' ? { ...TEXT, enum: all.map(({ name }) => name) } : TEXT
  return {
    ...(types.length > 0 ? { type: named(types) } : {}),
    ...(relations.length > 0 ? { relation: named(relations) } : {}),
  }
}
