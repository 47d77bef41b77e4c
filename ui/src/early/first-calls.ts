/** What a page first reads from the service, by its address, exactly as its parts request it (test/browser/early.test.ts compares them). */
export const OWN_KEY = '/v1/keys/self'

const OF_TAB: Readonly<Record<string, readonly string[]>> = {
  '': ['/documents', '/jobs?limit=5'],
  explore: ['/entities?sort=mentions&limit=100', '/documents?limit=200'],
  labels: ['/labels?limit=200'],
  connections: ['/sources?limit=200', '/hooks?limit=100', '/endpoints', '/alerts'],
  usage: ['/usage?limit=200', '/health'],
}

export function firstCalls([first, corpus, tab = '', document]: readonly string[], query: URLSearchParams): readonly string[] {
  if (first === undefined) return [OWN_KEY, '/v1/corpora?deleted=true']
  if (first !== 'c' || corpus === undefined) return [OWN_KEY]
  const there = `/v1/corpora/${encodeURIComponent(corpus)}`
  if (tab === 'd' && document !== undefined) return [OWN_KEY, there, `${there}/documents/${encodeURIComponent(document)}`]
  const isPlain = query.size === 0 // another view of a tab reads something else
  return [OWN_KEY, there, ...(isPlain ? (OF_TAB[tab] ?? []).map((call) => there + call) : [])]
}
