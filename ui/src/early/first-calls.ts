/** What a page first reads from the service, by its address, exactly as its parts request it (test/browser/early.test.ts compares them). */
export const OWN_KEY = '/v1/keys/self'
const LIST = '/v1/corpora?deleted=true'
/** Refused without a key. */
export const OF_KEYS: ReadonlySet<string> = new Set([OWN_KEY, LIST])

const OF_TAB: Readonly<Record<string, readonly string[]>> = {
  '': ['/documents', '/jobs?limit=5'],
  explore: ['/entities?sort=mentions&limit=100', '/documents?limit=200'],
  usage: ['/usage?limit=200'],
}

/** What only some keys or corpora answer is requested once an earlier reply says that this one does; a refusal is an error in the browser. */
const AFTER: Readonly<Record<string, Later>> = {
  labels: { isOfCorpus: true, list: 'strategies', some: ['gorag'], calls: ['/labels?limit=200'] },
  connections: {
    isOfCorpus: false,
    list: 'scopes',
    some: ['write', 'admin'],
    calls: ['/sources?limit=200', '/hooks?limit=100', '/endpoints', '/alerts'],
  },
}

interface Later {
  /** The reply that says so is the corpus; otherwise the key. */
  readonly isOfCorpus: boolean
  /** The reply's list, and what one of its entries is. */
  readonly list: string
  readonly some: readonly string[]
  readonly calls: readonly string[]
}

export function laterCalls(
  [first, corpus, tab = '']: readonly string[],
  query: URLSearchParams,
): (Later & { readonly first: string }) | undefined {
  const later = AFTER[tab]
  if (first !== 'c' || corpus === undefined || query.size > 0 || !later) return undefined
  const there = `/v1/corpora/${encodeURIComponent(corpus)}`
  return { ...later, first: later.isOfCorpus ? there : OWN_KEY, calls: later.calls.map((call) => there + call) }
}

export function firstCalls([first, corpus, tab = '', document]: readonly string[], query: URLSearchParams): readonly string[] {
  if (first === undefined) return [OWN_KEY, LIST]
  if (first !== 'c' || corpus === undefined) return [OWN_KEY]
  const there = `/v1/corpora/${encodeURIComponent(corpus)}`
  if (tab === 'd' && document !== undefined) return [OWN_KEY, there, `${there}/documents/${encodeURIComponent(document)}`]
  const isPlain = query.size === 0 // another view of a tab reads something else
  return [OWN_KEY, there, ...(isPlain ? (OF_TAB[tab] ?? []).map((call) => there + call) : [])]
}
