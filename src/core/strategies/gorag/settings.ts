/** GORAG's settings (arXiv 2501.02844), each with its source or reason, and the switches of its ablations. */

export interface GoragSettings {
  /** Most words of a keyword. */
  readonly phrase: 1 | 2 | 3
  /** Keywords taken from one text, best by Eq. 2. */
  readonly keywords: number
  /** Eq. 4, or every edge 1 (the paper's ablation). */
  readonly weights: 'tfidf' | 'unit'
  /** Are labels connected with each other (Eq. 6–7)? Without, the tree may be a forest. */
  readonly hub: boolean
  readonly steiner: 'mehlhorn' | 'mst'
  /** Most keywords of the text that the tree must span, strongest first. */
  readonly terminals: number
  /** Where candidates come from. What is too many is cut by score, what is too few filled up by it. */
  readonly sources: { readonly steiner: boolean; readonly hops: boolean; readonly embedding: boolean }
  /** Fewest candidates; a gate that is too narrow is a ceiling on accuracy. */
  readonly least: number
  /** Candidates as a share of all labels: of a text in middling doubt; a sure one has fewer, one in great doubt up to twice as many. */
  readonly share: number
  /** What the score without a model adds up; keywords and the parts of words go together. */
  readonly evidence: { readonly keywords: boolean; readonly embedding: boolean }
  /** Is a label's name, where it is made of words, read as a description of it? */
  readonly names: boolean
  /** Does the text model, where there is one, describe labels that come without a description? */
  readonly describe: boolean
  /** What the model is shown: the text, or its keywords alone (the paper's ablation). */
  readonly prompt: 'text' | 'keywords'
  readonly learning: LearningSettings
}

export interface LearningSettings {
  /** False: nothing is ever learned (the paper's ablation "offline"). */
  readonly online: boolean
  /** Least confidence of what is learned. */
  readonly confidence: number
  /** What a learned text weighs beside a labelled one, before its confidence. */
  readonly weight: number
  /** Milliseconds after which a learned text that nothing has confirmed weighs half. */
  readonly halfLife: number
  /** Most learned texts kept for one label, the most confident ones. */
  readonly most: number
  /** Does a learned text also strengthen keywords the graph knew, and move its label's embedding? Eq. 13 only adds new keywords. */
  readonly reinforce: boolean
}

const DAY = 86_400_000 // milliseconds

export const goragDefaults: GoragSettings = {
  phrase: 2, // "phrases with less than 3 words" (§3.2)
  keywords: 64, // all of a short text; of 100 words, what a threshold on relative weight would keep too
  weights: 'tfidf',
  hub: true,
  steiner: 'mehlhorn', // 2-approximation; the paper's Algorithm 2 is not one
  terminals: 24, // keywords of a few sentences; bounds the tree a reader is shown
  sources: { steiner: true, hops: true, embedding: true },
  least: 5,
  share: 0.25,
  evidence: { keywords: true, embedding: true },
  names: true, // Algorithm 1, lines 5 to 9: what a label is called says what it is about
  describe: true,
  prompt: 'text',
  learning: {
    online: true, // still opt-in per call
    confidence: 0.8, // one in five wrong, if confidence means what it says
    weight: 0.5,
    halfLife: 30 * DAY,
    most: 32,
    reinforce: false, // Eq. 13; feeding decisions back into the evidence that made them raises errors too
  },
}
