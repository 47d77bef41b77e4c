/**
 * Rates with bounds, for what cannot be counted in advance. Per chunk or per token of it; their sources are next to them. A corpus that has been indexed
 * for a while is estimated by what it has cost (measured.ts) instead.
 */
export type Case = 'min' | 'likely' | 'max'
type Bounds = { readonly [bound in Case]: number }

export const rates = {
  count: { min: 0.9, likely: 1, max: 1.2 }, // tokens of the model per token we count
  units: { min: 0.6, likely: 1, max: 1.4 }, // tokens of knowledge units per token of the chunk: it is restated
  graph: 1, // tokens of entities and relations per token of the chunk at least; likely ones go by its names (forms), at most they fill the reply's room
  graphs: { min: 300, likely: 1000 }, // of a long chunk at most: names recur; not measured
  wordless: 1 / 30, // names per token of a chunk at least: rules find few in some languages, a model finds them
  clue: { min: 0, likely: 0.5, max: 1 }, // α of Clue-RAG: share of chunks the model restates
  ket: { min: 0, likely: 0.8, max: 1 }, // β of KET-RAG: share of chunks in the skeleton
  merges: { min: 0, likely: 0.5, max: 2 }, // entity descriptions merged per chunk
  merge: { min: 150, likely: 300, max: 800 }, // tokens a merge reads
  communities: { min: 0.1, likely: 0.25, max: 0.6 }, // reports per chunk, all layers together
  community: { min: 800, likely: 2500, max: 4000 }, // tokens a report reads; at most ArchRAG's 4,000
  report: { min: 150, likely: 300, max: 800 }, // tokens of a report
  remade: { min: 1, likely: 1.05, max: 1.3 }, // segments of a layer that one chunk makes again: 1.24 and at most 1.02 above measured
  tries: { min: 1, likely: 1.02, max: 3 }, // calls per usable reply
} as const satisfies { readonly [name: string]: Partial<Bounds> | number }

/**
 * An extraction, by the form of its prompt, which follows from the model (flows/writers.ts): `full` as measured with a model of 1.5 billion parameters,
 * `short` with one of 135 million (docs/models.md has on how many passages, and how far off they are on those they were not taken from). Larger models were
 * not measured. `read`: tokens read per token of the chunk, as it stands and in the names that are shown. `named`: tokens written for each of its
 * names; of the full form the mean of three runs over 140 replies (33, 35 and 39). `tries`: calls per chunk. `examples`: tokens of ours in the prompt.
 */
export const forms = {
  full: { read: 1.35, named: 36, tries: 1.02, examples: 415 },
  short: { read: 1.35, named: 30, tries: 1.2, examples: 250 },
} as const
export type Form = keyof typeof forms

/** Tokens of a prompt besides its material, its conversation's form included; what our own count of them comes to is 1.2 times less (docs/models.md). */
export const prompts = {
  graph: { min: 400, likely: 780, max: 1100 },
  graphShort: { min: 300, likely: 550, max: 800 },
  units: { min: 250, likely: 430, max: 700 },
  unitsShort: { min: 150, likely: 290, max: 500 },
  summarize: { min: 100, likely: 160, max: 300 },
  report: { min: 150, likely: 250, max: 400 },
} as const satisfies { readonly [name: string]: Bounds }
