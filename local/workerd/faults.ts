/**
 * Errors with the names and messages of the real services, so that the product's handling of them is exercised locally
 * (developers.cloudflare.com/workers-ai/platform/errors, /vectorize/platform/limits). Name and message survive RPC. Messages never quote an
 * input or an upstream's text.
 */
const WORDS: { readonly [code: number]: string } = {
  3006: 'Request is too large',
  3007: 'Request timeout',
  2014: 'Provider request timeout',
  3008: 'Request was aborted',
  3021: 'rate limiting: inference request per min rate reached',
  3036: 'You have used up your daily free allocation of 10,000 neurons',
  3040: 'Capacity temporarily exceeded, please try again.',
  3043: 'Internal server error',
  3046: 'Request timeout',
  4006: "you have used up your daily free allocation of 10,000 neurons, please upgrade to Cloudflare's Workers Paid plan if you would like to continue usage.",
  5004: 'Invalid input',
  5007: 'No such model',
  5021: '', // its message contains numbers
  5023: 'JSON Schema mode is not supported with stream mode.',
  5024: "JSON Model couldn't be met",
}

/** Errors observed under the server's own name; the others have the runtime's. */
const SERVERS: ReadonlySet<number> = new Set([3021, 4006, 5021, 5024])

/** What `env.AI.run` rejects with. */
export function inference(code: number, detail = ''): Error {
  const error = new Error(`${code}: ${[WORDS[code] ?? 'Unknown error', detail].filter(Boolean).join(' ')}`)
  error.name = SERVERS.has(code) ? 'AiError' : 'InferenceUpstreamError'
  return terse(error)
}

/** The Workers AI code that corresponds to an upstream server's HTTP status. */
export function codeOf(status: number): number {
  if (status === 429 || status === 503) return 3040
  if (status === 413) return 3006
  if (status === 404) return 5007
  if (status === 408 || status === 504) return 3007
  return status >= 400 && status < 500 ? 5004 : 3043
}

export type VectorOperation = 'QUERY' | 'INSERT' | 'UPSERT' | 'GET' | 'DELETE'

/** What `env.VECTORIZE` rejects with. */
export function refused(operation: VectorOperation, code: number, why: string): Error {
  return terse(new Error(`VECTOR_${operation}_ERROR (code = ${code}): ${why}`))
}

/** The runtime prints the stack of every error that crosses RPC, caught or not; these are responses, not accidents. */
function terse(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`
  return error
}
