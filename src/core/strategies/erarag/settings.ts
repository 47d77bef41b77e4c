/** EraRAG's settings, each with its source. */
export interface EraSettings {
  /** S_min: fewest members of a segment. */
  readonly least: number
  /** S_max: most members of a segment; at least 2 · least − 1. */
  readonly most: number
  /** `split-merge`: the paper's; a segment is a bucket, the nodes of one hash code, unless that is too small or too large. */
  readonly segmentation: 'trie' | 'split-merge'
  /** Of split and merge: the neighbour a small segment is merged with. The paper takes the one nearest by Hamming distance. */
  readonly merge: 'smaller' | 'hamming'
  readonly regroup: 'members' | 'summary'
  readonly hyperplanes: 'random' | 'fitted'
  /** n: how many hyperplanes, a multiple of four. */
  readonly planes: number
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
  merge: 'smaller',
  regroup: 'members',
  hyperplanes: 'random',
  planes: 64, // 8,224 real vectors have 8,199 different codes with 64 of them, 6,088 with the official code's 20
  writing: 'eager',
  layers: 5, // the official code's num_layers
  summary: 100, // the official code's summarization_length
  seed: 224, // the official code's random_seed
}
