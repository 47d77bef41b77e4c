/**
 * The baseline a graph method must beat: forty lines, no model. Two documents are linked when the text of one contains the name of the other (title
 * without its bracket, else lead phrase; exact words); personalised PageRank, restart ½, from the BM25 top 20 (score squared) and documents
 * whose name is in the question. Rebuilt from scratch, all pairs: it is a yardstick, not a design.
 */
import { pagerank } from '../../src/core/algorithms/pagerank'
import { isOpener } from '../../src/core/text/entities'
import { leadPhrase } from '../../src/core/text/lead'
import type { Passage } from './corpora'

const walk = { restart: 0.5, tolerance: 1e-6, pushes: 5000 } as const
const SEEDS = 20

export interface TitleGraph {
  /** Documents, best first. `words` are the keyword channel's documents with their scores. */
  rank(question: string, words: readonly (readonly [string, number])[]): readonly string[]
}

export function titleGraph(passages: readonly Passage[]): TitleGraph {
  const texts = new Map(passages.map((one) => [one.id, plain(one.text)]))
  const names = new Map(passages.map((one) => [one.id, nameOf(one)]))
  const near = new Map<string, string[]>(passages.map((one) => [one.id, []]))
  for (const [target, name] of names) {
    if (name === '') continue
    for (const [source, text] of texts) {
      if (source === target || !text.includes(` ${name} `)) continue
      near.get(source)?.push(target)
      near.get(target)?.push(source)
    }
  }
  return {
    rank(question, words) {
      const asked = plain(question)
      const top = words.slice(0, SEEDS)
      const seeds = new Map(top.map(([id, score]) => [id, score ** 2]))
      const max = top[0]?.[1] ?? 1
      for (const [id, name] of names) if (name !== '' && asked.includes(` ${name} `)) seeds.set(id, (seeds.get(id) ?? 0) + max ** 2 / 2)
      const scores = pagerank(seeds, (id) => [...new Set(near.get(id))].map((other) => ({ id: other, weight: 1 })), walk)
      return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id)
    },
  }
}

/** A lead phrase loses its article; one that any sentence may open with is no name, in fairness to the baseline. */
function nameOf({ title, text }: Passage): string {
  if (title) return plain(title.replace(/\s*\([^)]*\)\s*$/, '')).trim()
  const lead = plain(leadPhrase(text))
    .trim()
    .replace(/^(The|A|An) /, '')
  return /^\p{Ll}/u.test(lead) || lead.split(' ').every((word) => word.length < 2 || isOpener(word)) ? '' : lead
}

/** Words with their capitals, single spaces, a space at both ends. */
function plain(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `
}
