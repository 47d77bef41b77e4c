/** The shortest run of sentences in a text that contains all the given names. */
import { finderOf } from './mentions'

const MOST = 4 // sentences together; names further apart are not said together

export interface Span {
  readonly start: number
  readonly end: number
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** `forms`: for each name, its possible spellings. Null: there is no such run. */
export function sentenceNaming(text: string, forms: readonly (readonly string[])[]): Span | null {
  const find = finderOf(forms.map((written, i) => ({ id: String(i), forms: written })))
  const parts = [...sentences.segment(text)].map(({ segment, index }) => ({ segment, index, named: find(segment) }))
  let best: Span | null = null
  for (const [from, { segment: first, index }] of parts.entries()) {
    const start = index + (first.length - first.trimStart().length)
    const named = new Set<string>()
    for (const part of parts.slice(from, from + MOST)) {
      for (const one of part.named) named.add(one)
      if (named.size < forms.length) continue
      const end = part.index + part.segment.trimEnd().length
      if (!best || end - start < best.end - best.start) best = { start, end }
      break
    }
  }
  return best
}
