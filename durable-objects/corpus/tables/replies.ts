/** What is remembered of the replies of text models. */
import type { WriterRole } from '../../../src/ports/models'
import type { FormTallies } from '../../../src/ports/tasks'

/** The outcome of replies, by role and form of prompt, for the models and prompts named. */
export interface PromptForms {
  readonly models: string
  readonly roles: { readonly [role in WriterRole]?: FormTallies }
  /** What usable replies said beyond their text, by kind; absent: stored before it was counted. */
  readonly leftOut?: { readonly [role in WriterRole]?: { readonly [kind: string]: number } }
}

/** What did not fit this version of the ontology in replies: what was left out, and what was kept as outside. */
export interface OntologyFit {
  readonly version: string
  readonly read: number
  readonly types: number
  readonly typesOutside: number
  readonly kinds: number
  readonly kindsOutside: number
}
