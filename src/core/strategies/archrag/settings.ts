/** ArchRAG's settings, each with its source: [P] the paper, [C] the official code. The switches are those of the paper's Table 4. */
export interface ArchSettings {
  /** What finds communities: Leiden for modularity, SCAN for shared neighbours, or spectral clustering for normalised cuts. */
  readonly cluster: 'leiden' | 'scan' | 'spectral'
  /** Links by similarity before clustering: the nearest above a percentile; the same and then only each node's best links; none. */
  readonly augment: 'knn' | 'codicil' | 'none'
  /** What a link weighs: likeness, how strongly the texts relate its ends, or all the same. */
  readonly weights: 'cosine' | 'strength' | 'none'
  /** What a change clusters again: what it touches; or everything, so that the same documents give the same state whatever their history. */
  readonly growth: 'local' | 'whole'
  /** Most members of a community. */
  readonly most: number
  /** Fewest communities of a layer above the first. */
  readonly least: number
  /** Most layers of communities. */
  readonly levels: number
  /** Links by similarity are above this share of the weights of the links that texts state. */
  readonly percentile: number
  /** Write reports before the job succeeds, or when there is time. */
  readonly writing: 'eager' | 'lazy'
  /** Length of a report, in tokens. */
  readonly report: number
  /** Nodes of the lowest layer up to which every one is compared; beyond that C-HNSW searches. */
  readonly exact: number
  /** C-HNSW's M. */
  readonly links: number
  /** Loss of modularity or of likeness, as a share, at which a full clustering is due. */
  readonly drift: number
  /** Most entities whose drift is measured and that are clustered anew: both are one transaction in memory. */
  readonly anew: number
  /** Most entities a change folds in at once; what more it brings follows a piece at a time, in commits of its own. */
  readonly piece: number
  readonly seed: number
}

export const archDefaults: ArchSettings = {
  cluster: 'leiden', // [P]
  augment: 'knn', // [P]
  weights: 'cosine', // [P]
  growth: 'local', // a whole clustering for every change costs seconds where a local one costs milliseconds
  most: 15, // [C] max_cluster_size
  least: 5, // [C] min_clusters
  levels: 4, // [C] max_level
  percentile: 0.8, // [C] index.sh
  writing: 'eager',
  report: 200, // enough for a title, a summary and a few findings; [C] asks for no length
  exact: 4000, // below, comparing all costs some 20 ms and keeps no links (docs/archrag.md)
  links: 16, // recall 1 at a twenty-third of the distances; [C] 32
  drift: 0.1,
  anew: 6000, // some 11 kB each: an object has 128 MB, which others share (docs/archrag.md)
  piece: 256, // a second or two of the object's time, and some 10 MB of its memory (docs/archrag.md)
  seed: 0xdeadbeef, // [C]
}
