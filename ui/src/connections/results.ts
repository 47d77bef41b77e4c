/** How a call ended, in words. What the API may add later is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  changed: 'changed',
  unchanged: 'unchanged',
  robots: 'robots.txt forbids it',
  timeout: 'no answer in time',
  dns: 'its name leads nowhere',
  refused_private: 'it leads into a private network',
  over_budget: 'the budget does not cover it',
  corpus_full: 'the corpus is full',
  database_full: 'the database of the corpus is full',
  index_full: 'the vector index is full',
}

export function resultWord(result: string | null): string {
  if (result === null) return ''
  const [, status] = /^http_(\d+)$/.exec(result) ?? []
  return status ? `answered ${status}` : (WORDS[result] ?? result.replaceAll('_', ' '))
}
