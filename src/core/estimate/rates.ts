/**
 * Rates with bounds, for what cannot be counted before it is done. Per chunk or per token of it; their sources stand beside them. A corpus
 * that has been indexed for a while is estimated by what it has cost (measured.ts) instead.
 */
export type Case = 'min' | 'likely' | 'max'
type Bounds = { readonly [bound in Case]: number }

export const rates = {
  count: { min: 0.9, likely: 1, max: 1.2 }, // tokens of the model per token we count
  units: { min: 0.6, likely: 1, max: 1.4 }, // tokens of knowledge units per token of the chunk: it is restated
  graph: { min: 1, likely: 3, max: 4 }, // tokens of entities and relations per token of the chunk: measured with real models on 116 tokens (docs/models.md)
  graphs: { min: 300, likely: 1000, max: 2000 }, // of a long chunk at most: names recur; the last is the room of the reply
  clue: { min: 0, likely: 0.5, max: 1 }, // α of Clue-RAG: share of chunks the model restates
  ket: { min: 0, likely: 0.8, max: 1 }, // β of KET-RAG: share of chunks in the skeleton
  merges: { min: 0, likely: 0.5, max: 2 }, // entity descriptions merged per chunk
  merge: { min: 150, likely: 300, max: 800 }, // tokens a merge reads
  communities: { min: 0.1, likely: 0.25, max: 0.6 }, // reports per chunk, all layers together
  community: { min: 800, likely: 2500, max: 4000 }, // tokens a report reads; at most ArchRAG's 4,000
  report: { min: 150, likely: 300, max: 800 }, // tokens of a report
  remade: { min: 1, likely: 1.05, max: 1.3 }, // segments of a layer that one chunk makes anew: 1.24 and at most 1.02 above measured
  tries: { min: 1, likely: 1.02, max: 3 }, // calls per usable reply
} as const satisfies { readonly [name: string]: Bounds }

/** Tokens of a prompt besides its material, its conversation's form included; what our own count of them comes to is 1.2 times less (docs/models.md). */
export const prompts = {
  graph: { min: 400, likely: 770, max: 1100 },
  units: { min: 250, likely: 430, max: 700 },
  summarize: { min: 100, likely: 160, max: 300 },
  report: { min: 150, likely: 250, max: 400 },
} as const satisfies { readonly [name: string]: Bounds }
