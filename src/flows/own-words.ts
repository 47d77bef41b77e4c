/** Descriptions that a model took from the examples it was shown, ours or the corpus's own, rather than from the text. Pure. */
import { isSaid } from '../core/builders/extracted-knowledge'
import type { GivenGuidance } from '../core/guidance'
import { terms } from '../core/text/terms'
import { folded, occurs } from './occurs'
import { exampleDescriptions, exampleNames } from './prompt-examples'

const NAMES = exampleNames().map(folded)
const DESCRIPTIONS: ReadonlySet<string> = new Set(exampleDescriptions().map(folded))

/** Names in a prompt's examples, folded. */
export function namesShown({ examples = [] }: Pick<GivenGuidance, 'examples'>): readonly string[] {
  return [...NAMES, ...examples.flatMap(({ entities }) => entities.map(({ name }) => folded(name)))]
}

/**
 * Empty if it is about something that the examples name (`shown`), or says what ours say, and the text doesn't. An owner's descriptions are
 * there to be followed.
 */
export function ownWords(description: string, source: string, shown: readonly string[]): string {
  const said = folded(description)
  const isCopied = DESCRIPTIONS.has(said) && !isSaid(description, new Set(terms(source)))
  return isCopied || shown.some((name) => occurs(said, name) && !occurs(source, name)) ? '' : description
}
