/** KET-RAG's settings, each with its source. */
export interface KetSettings {
  /** β: share of the chunks a model reads for the skeleton, where there is a model. */
  readonly share: number
  /** What a chunk no model has read gives to the skeleton: the relations of its units, or nothing as in the paper. */
  readonly rest: 'units' | 'nothing'
  /** K: neighbours of a chunk in the graph whose centre is the skeleton, half by words and half by vectors. */
  readonly knn: number
  /** KET-RAG-P or KET-RAG-U. */
  readonly select: 'pagerank' | 'uniform'
  /** θ: share of the budget for the skeleton; the rest is the keyword channel's. */
  readonly theta: number
  /** What the best passages are best by. */
  readonly rank: 'cosine' | 'fused'
  /** How keywords are compared with the question: the paper's cosine on the mean, or that times their rarity. */
  readonly weighting: 'mean' | 'idf'
}

export const ketDefaults: KetSettings = {
  share: 0.8, // the paper's budget
  rest: 'units', // costs no model, and a new document is not without relations till the next consolidation
  knn: 2, // the paper's K; 4 and 10 gave it half a point
  select: 'pagerank',
  theta: 0.4, // the paper's
  rank: 'fused', // BM25 settles what a weak embedding leaves open (docs/ketrag.md has the measurement)
  weighting: 'mean',
}
