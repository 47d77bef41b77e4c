/** The sentences of passages, each with its own terms and those of its surroundings. */
import { type Line, linesOf } from './lines'
import { termsSaid } from './said'

export interface Passage {
  readonly id: string
  readonly text: string
  readonly title?: string
}

export interface Candidate extends Line {
  /** The passage's place in the list, best first. */
  readonly passage: number
  /** The passage's title. */
  readonly title: string
  /** What it stands under: the title and its heading, one line each. */
  readonly heads: string
  readonly text: string
  readonly terms: ReadonlySet<string>
  /** Terms of the sentence before it. */
  readonly before: ReadonlySet<string>
  /** Terms of what it stands under, which say what it is about. */
  readonly about: ReadonlySet<string>
  /** Terms of the whole passage. */
  readonly around: ReadonlySet<string>
}

export function candidatesOf({ text, title = '' }: Passage, passage: number): Candidate[] {
  const around = termsSaid(text)
  let before: ReadonlySet<string> = new Set()
  let heads = title
  let about = termsSaid(heads)
  return linesOf(text).map((line) => {
    const under = [title, line.heading].filter((one) => one !== '').join('\n')
    if (under !== heads) {
      heads = under
      about = termsSaid(heads)
    }
    const slice = text.slice(line.start, line.end)
    const own = termsSaid(slice)
    const candidate = { ...line, passage, title, heads, text: slice, terms: own, before, about, around }
    before = own
    return candidate
  })
}
