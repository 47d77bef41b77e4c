/**
 * How much of the corpus a slice processes: what takes about a seventh of a second, judging by the duration of the previous slice. The cost
 * of a token differs a hundredfold between strategies, and grows with the graph. A structure that depends on its history (ArchRAG's
 * communities) depends on these slices too.
 */
export const SLICE_MS = 150 // ms: a question asked meanwhile waits for one slice
export const FIRST_TOKENS = 1500 // tokens in the first slice, about a chunk: with the most expensive builders half a second
const MAX_TOKENS = 80_000 // tokens: about as many as a commit of ingestion processes

export interface Pace {
  /** Tokens for the next slice; or, during one, the number it was meant to process. */
  readonly tokens: number
  /** The current slice: the tokens it processed, since documents are fed whole, and when it began (ms). */
  readonly open?: { readonly taken: number; readonly began: number }
}

export const FIRST_PACE: Pace = { tokens: FIRST_TOKENS }

/**
 * Called when another slice begins: the clock stands still while one runs, so only the next can tell how long it took. Other work in
 * between counts, since it goes first.
 */
export function nextPace({ tokens, open }: Pace, now: number): Pace {
  if (!open) return { tokens }
  const fit = Math.floor((open.taken * SLICE_MS) / Math.max(1, now - open.began))
  return { tokens: Math.max(1, Math.min(fit, 2 * tokens, MAX_TOKENS)) }
}
