/** EraRAG's settings, each with its source. */
export interface EraSettings {
  /** S_min: fewest members of a segment. */
  readonly least: number
  /** S_max: most members of a segment; at least 2 · least − 1. */
  readonly most: number
  readonly segmentation: 'trie' | 'split-merge'
  readonly regroup: 'members' | 'summary'
  readonly hyperplanes: 'random' | 'fitted'
  /** Write summaries before the job succeeds, or at first retrieval. */
  readonly writing: 'eager' | 'lazy'
  /** Most layers of summaries. */
  readonly layers: number
  /** Length of a summary, in tokens. */
  readonly summary: number
  readonly seed: number
}

export const eraDefaults: EraSettings = {
  least: 6,
  most: 12,
  segmentation: 'trie',
  regroup: 'members',
  hyperplanes: 'random',
  writing: 'eager',
  layers: 5, // the official code's num_layers
  summary: 100, // the official code's summarization_length
  seed: 224, // the official code's random_seed
}
