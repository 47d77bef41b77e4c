/** What did not fit this version of the ontology in replies: what was left out, and what was kept as outside. */
export interface OntologyFit {
  readonly version: string
  readonly read: number
  readonly types: number
  readonly typesOutside: number
  readonly kinds: number
  readonly kindsOutside: number
}
