/**
 * Rates with bounds, for what cannot be counted before it is done. Per chunk or per token of it; their sources stand beside them. A corpus
 * that has been indexed for a while is estimated by what it has cost (measured.ts) instead.
 */
export type Case = 'least' | 'likely' | 'most'
type Bounds = { readonly [bound in Case]: number }

export const rates = {
  count: { least: 0.9, likely: 1, most: 1.2 }, // tokens of the model per token we count
  prompt: { least: 200, likely: 350, most: 700 }, // tokens of a prompt besides its material
  units: { least: 0.6, likely: 1, most: 1.4 }, // tokens of knowledge units per token of the chunk: it is restated
  graph: { least: 200, likely: 400, most: 1200 }, // tokens of entities and relations per chunk
  clue: { least: 0, likely: 0.5, most: 1 }, // α of Clue-RAG: share of chunks the model restates
  ket: { least: 0, likely: 0.8, most: 1 }, // β of KET-RAG: share of chunks in the skeleton
  merges: { least: 0, likely: 0.5, most: 2 }, // entity descriptions merged per chunk
  merge: { least: 150, likely: 300, most: 800 }, // tokens a merge reads
  communities: { least: 0.1, likely: 0.25, most: 0.6 }, // reports per chunk, all layers together
  community: { least: 800, likely: 2500, most: 4000 }, // tokens a report reads; at most ArchRAG's 4,000
  report: { least: 150, likely: 300, most: 800 }, // tokens of a report
  remade: { least: 1, likely: 1.05, most: 1.3 }, // segments of a layer that one chunk makes anew: 1.24 and at most 1.02 above measured
  tries: { least: 1, likely: 1.02, most: 3 }, // calls per usable reply
} as const satisfies { readonly [name: string]: Bounds }
