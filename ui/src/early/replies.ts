/** Replies requested before the page had loaded; each is used once, by the part that makes the same request. */
interface Begun {
  readonly key: string
  readonly reply: Promise<Response>
}

/** On the window: the script that begins calls is not the one that takes them. */
const place = window as { loamBegun?: Map<string, Begun>; loamAsked?: Set<string> }

/** After this, a part would be shown outdated data. */
const PATIENCE = 10_000 // ms after the page began

export function begin(call: string, key: string): void {
  const reply = fetch(call, { headers: { 'loam-page': '1', ...(key ? { authorization: `Bearer ${key}` } : {}) } })
  reply.catch(() => undefined) // whoever takes it gets the error
  place.loamBegun ??= new Map()
  place.loamBegun.set(location.origin + call, { key, reply })
}

/** Begins calls if a list in the reply to an earlier one has one of these entries. */
export async function beginAfter(later: After, key: string): Promise<void> {
  const response = await place.loamBegun?.get(location.origin + later.first)?.reply.then((one) => one.clone())
  if (!response?.ok) return
  const lists = (await response.json()) as { readonly [name: string]: unknown }
  const list = lists[later.list]
  if (!Array.isArray(list) || !later.some.some((one) => list.includes(one))) return
  for (const call of later.calls) if (!place.loamAsked?.has(location.origin + call)) begin(call, key)
}

interface After {
  readonly first: string
  readonly list: string
  readonly some: readonly string[]
  readonly calls: readonly string[]
}

/** The reply to this request, if it was begun, with the same key. */
export function begun({ url, method, headers }: Request, key: string): Promise<Response> | undefined {
  if (method !== 'GET') place.loamBegun?.clear() // earlier requests do not reflect the change
  const one = place.loamBegun?.get(url)
  place.loamAsked ??= new Set()
  if (!one) place.loamAsked.add(url) // it is not begun any more
  if (one?.key !== key || headers.has('loam-as') || performance.now() > PATIENCE) return undefined
  place.loamBegun?.delete(url)
  return one.reply
}
