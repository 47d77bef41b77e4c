/** Labels that documents are classified under. */

export interface LabelContent {
  readonly id: string
  readonly description: string
  readonly vector?: Int8Array
  /** Id of the model that made the vectors. */
  readonly embedded?: string
  readonly examples: readonly { readonly id: string; readonly text: string; readonly vector?: Int8Array }[]
}
