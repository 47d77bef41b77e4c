/**
 * How much of the corpus a slice takes in: what takes about a seventh of a second, judged by how long the slice before took. What a token costs
 * differs a hundredfold between strategies, and grows with the graph. Where a structure remembers its history (ArchRAG's communities),
 * it remembers this one.
 */
export const SLICE_MS = 150 // ms: a question asked meanwhile waits for one slice
export const FIRST_TOKENS = 1500 // tokens of the first slice, some chunk: with the most expensive builders half a second
const MAX_TOKENS = 80_000 // tokens: about as many as a commit of ingestion takes in

export interface Pace {
  /** Tokens for the next slice; or, while one is under way, those it was to take in. */
  readonly tokens: number
  /** The slice under way: the tokens it took in, documents being whole, and when it began (ms). */
  readonly open?: { readonly taken: number; readonly began: number }
}

export const FIRST_PACE: Pace = { tokens: FIRST_TOKENS }

/**
 * Call this when another slice begins: the clock stands still while one runs, so only the next can tell how long it took. What others did in between
 * counts, since they go first.
 */
export function nextPace({ tokens, open }: Pace, now: number): Pace {
  if (!open) return { tokens }
  const fit = Math.floor((open.taken * SLICE_MS) / Math.max(1, now - open.began))
  return { tokens: Math.max(1, Math.min(fit, 2 * tokens, MAX_TOKENS)) }
}
