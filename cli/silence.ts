/** A service that accepts a request and stays silent: whoever waits at the terminal is told so, and may keep waiting. */
const LONG = 15_000 // ms; a model may well take that long for an answer

interface Silence {
  readonly fetch?: (request: Request) => Promise<Response>
  /** ms without an answer. */
  readonly after?: number
  readonly tell?: (text: string) => void
}

/** `fetch` that says once, on standard error, that nothing has come yet. Not where the request itself asks the service to wait. */
export function tellingOfSilence({
  fetch = (request) => globalThis.fetch(request),
  after = LONG,
  tell = (text) => void process.stderr.write(`${text}\n`),
}: Silence = {}): (request: Request) => Promise<Response> {
  return async (request) => {
    const { host, searchParams } = new URL(request.url)
    if (Number(searchParams.get('wait')) > 0) return fetch(request)
    const words = `Still waiting: ${host} has not answered for ${Math.round(after / 1000)} s. Ctrl-C stops it.`
    const timer = setTimeout(() => tell(words), after)
    return fetch(request).finally(() => clearTimeout(timer))
  }
}
