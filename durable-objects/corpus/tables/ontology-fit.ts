/** What of replies did not fit the ontology of this version: left out, and kept as outside. */
export interface OntologyFit {
  readonly version: string
  readonly read: number
  readonly types: number
  readonly typesOutside: number
  readonly kinds: number
  readonly kindsOutside: number
}
