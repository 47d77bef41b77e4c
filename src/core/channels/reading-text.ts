/**
 * What a re-ranker reads of a passage: its document's title, the sentence by which it was reached, then the passage itself, all within such a model's input
 * together with the question. Pure.
 */
import { countTokens } from '../text/tokens'

export const reading = {
  window: 512, // tokens of question and text together: what the re-rankers we know read
  slack: 0.8, // of it is filled: vocabularies differ from our estimate
  question: 160, // tokens of the question that are counted; a longer one leaves the text its half
  path: 60, // tokens of the sentence; a longer one is cut
} as const

export interface Reading {
  readonly title: string
  readonly path: string | undefined
  readonly text: string
  readonly question: string
}

export function readingText({ title, path, text, question }: Reading): string {
  const head = title === '' || text.startsWith(title) ? [] : [title]
  const way = path === undefined ? [] : [`(${beginning(path, reading.path)})`]
  const room = reading.window * reading.slack - Math.min(reading.question, countTokens(question))
  return beginning([...head, ...way, text].join('\n'), room)
}

/** At most so many tokens, cut between words. */
function beginning(text: string, tokens: number): string {
  const count = countTokens(text)
  if (count <= tokens) return text
  const cut = text.slice(0, Math.floor((text.length * tokens) / count))
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), Math.floor(cut.length / 2)))
}
