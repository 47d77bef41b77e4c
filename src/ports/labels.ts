/** Labels that documents are sorted under. */

export interface LabelContent {
  readonly id: string
  readonly description: string
  readonly vector?: Int8Array
  readonly examples: readonly { readonly id: string; readonly text: string; readonly vector?: Int8Array }[]
}
