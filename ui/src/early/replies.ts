/** Replies requested before the page had loaded; each is used once, by the part that makes the same request. */
interface Begun {
  readonly key: string
  readonly reply: Promise<Response>
}

/** On the window: the script that begins calls is not the one that takes them. */
const place = window as { loamBegun?: Map<string, Begun> }

/** After this, a part would be shown outdated data. */
const PATIENCE = 10_000 // ms after the page began

export function begin(call: string, key: string): void {
  const reply = fetch(call, { headers: { 'loam-page': '1', ...(key ? { authorization: `Bearer ${key}` } : {}) } })
  reply.catch(() => undefined) // whoever takes it gets the error
  place.loamBegun ??= new Map()
  place.loamBegun.set(location.origin + call, { key, reply })
}

/** The reply to this request, if it was begun, with the same key. */
export function begun({ url, method, headers }: Request, key: string): Promise<Response> | undefined {
  if (method !== 'GET') place.loamBegun?.clear() // earlier requests do not reflect the change
  const one = place.loamBegun?.get(url)
  if (one?.key !== key || headers.has('loam-as') || performance.now() > PATIENCE) return undefined
  place.loamBegun?.delete(url)
  return one.reply
}
