/** What a judge is shown of statements that may contradict each other, the form of its reply, and how much both may come to. */
import { z } from 'zod'
import { comparedWithNow } from '../core/reader/removed-statements'
import type { Message } from '../ports/models'
import { fenceTexts } from './fence'
import { clipToTokens } from './windows'

const limits = {
  tokens: 80, // of a statement
  title: 16, // tokens of its document's title
  pairs: 40, // of a reply
  reply: 20, // tokens for a pair
} as const

/** Statements of the evidence that are shown, those of the best evidence first. */
export const MAX_ASKED = 24
const MAX_SHOWN = MAX_ASKED + comparedWithNow.current + comparedWithNow.removed

/** Tokens of the prompt at most, by our count: its statements, and 400 for its rules. */
export const COMPARISON_TOKENS = MAX_SHOWN * (limits.tokens + limits.title + 12) + 400

const PAIR = z.object({ a: z.int().min(1), b: z.int().min(1), verdict: z.enum(['differ', 'same']) })
export const PAIRS = z.object({ pairs: z.array(PAIR).max(limits.pairs) })
export const PAIRS_SCHEMA = z.toJSONSchema(PAIRS)
export type Pairs = z.output<typeof PAIRS>['pairs']

/** Tokens that a reply may have. */
export const PAIRS_ROOM = limits.reply * (limits.pairs + 1)

export interface Compared {
  readonly document: string
  readonly title?: string
  readonly quote: string
  /** An older version of its document said so. */
  readonly isEarlier?: true
}

const OF_EARLIER =
  'A statement of the earlier version of a document is paired only with statements of that same document: "differ" if the document now says otherwise, and "same" if it still says so. '

export function comparisonPrompt(statements: readonly Compared[]): readonly Message[] {
  const numbers = new Map([...new Set(statements.map(({ document }) => document))].map((document, i) => [document, i + 1]))
  const sourceOf = ({ document, title, isEarlier }: Compared): string => {
    const number = `document ${numbers.get(document)}`
    return isEarlier ? `the earlier version of ${number}` : `${number}${title ? `, “${clipToTokens(title, limits.title)}”` : ''}`
  }
  const listed = fenceTexts(statements.map((one, i) => `${i + 1}. (${sourceOf(one)}) ${clipToTokens(one.quote, limits.tokens)}`))
  return [
    {
      role: 'system',
      content:
        'You compare numbered statements from different documents. List a pair only if both speak of the same fact about the same thing, in whatever words: ' +
        '"differ" if they cannot both be true at the same time, such as another number, date, name, or the contrary; "same" if they say the same. ' +
        'Statements about different things, times, places or cases are no pair. Use no other knowledge. ' +
        (statements.some(({ isEarlier }) => isEarlier) ? OF_EARLIER : '') +
        `${listed.law} Reply with JSON: {"pairs": [{"a": 1, "b": 4, "verdict": "differ"}, …]}, or {"pairs": []}.`,
    },
    { role: 'user', content: `Statements:\n${listed.block}` },
  ]
}
