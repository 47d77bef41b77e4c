/** The strategies as the page names and explains them. */
export const explained: Readonly<Record<string, string>> = {
  auto: 'Trusts each way as far as it proves itself on this corpus',
  hybrid: 'Words and meaning, fused',
  keyword: 'Words alone (BM25)',
  vector: 'Meaning alone (embeddings)',
  erarag: 'A tree of summaries over hashed segments',
  cluerag: 'Walks from clue to clue, and asks for what is still missing',
  ketrag: 'A skeleton of relations beside the keywords of all text',
  archrag: 'Communities, summarised layer by layer',
  gorag: 'Labels texts over a graph of keywords',
}

const ALWAYS = ['auto', 'hybrid', 'keyword', 'vector'] as const

export const optional = ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag'] as const

/** Those one can ask with. GORAG classifies and answers no questions. */
export function askable(enabled: readonly string[]): readonly string[] {
  return [...ALWAYS, ...enabled.filter((name) => name !== 'gorag')]
}
