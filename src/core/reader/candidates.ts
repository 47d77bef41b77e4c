/** The sentences of passages, each with its terms and those of what stands around it. */
import type { Span } from '../graph/types'
import { sentences } from '../text/sentences'
import { termsSaid } from './said'

export interface Passage {
  readonly id: string
  readonly text: string
  readonly title?: string
}

export interface Candidate extends Span {
  /** The passage's place in the list, best first. */
  readonly passage: number
  readonly title: string
  readonly text: string
  readonly terms: ReadonlySet<string>
  /** Of the sentence before it. */
  readonly before: ReadonlySet<string>
  /** Of the passage's title: what all its sentences are about. */
  readonly about: ReadonlySet<string>
  /** Of the whole passage. */
  readonly around: ReadonlySet<string>
}

export function candidatesOf({ text, title = '' }: Passage, passage: number): Candidate[] {
  const about = termsSaid(title)
  const around = termsSaid(text)
  let before: ReadonlySet<string> = new Set()
  return sentences(text).map(({ start, end }) => {
    const slice = text.slice(start, end)
    const own = termsSaid(slice)
    const candidate = { passage, title, start, end, text: slice, terms: own, before, about, around }
    before = own
    return candidate
  })
}
