/**
 * A model's verdict on statements of different documents: which contradict each other, in whatever words, and which say the same although rules
 * find a difference. One call for a question, parsed by a schema, remembered, within the budget. Whatever goes wrong, the rules' verdict stands.
 */
import { z } from 'zod'
import { fingerprint } from '../core/ids'
import { type Said, statementsIn } from '../core/reader/disagreements'
import type { Message, Models } from '../ports/models'
import type { AskDeps } from './ask-types'
import { writingBound } from './call-bounds'
import { settleBy } from './disagreeing'
import { fenceTexts } from './fence'
import type { Found } from './found'
import { parseJson } from './reply-json'
import { clipToTokens } from './windows'

const limits = {
  remembered: 500, // replies, in an isolate
  statements: 24, // shown, those of the best evidence first
  tokens: 80, // of a statement
  pairs: 40, // of a reply
  reply: 20, // tokens for a pair
} as const
const PAIR = z.object({ a: z.int().min(1), b: z.int().min(1), verdict: z.enum(['differ', 'same']) })
const REPLY = z.object({ pairs: z.array(PAIR).max(limits.pairs) })
const SCHEMA = z.toJSONSchema(REPLY)

type Pairs = z.output<typeof REPLY>['pairs']
const remembered = new Map<string, Pairs>()

/** Before the answer is written or read, if there is a judge and at least two documents have something to say. */
export async function judgeDisagreements({ judge }: Pick<AskDeps, 'judge'>, found: Found): Promise<void> {
  if (!judge?.text || found.points || found.overview) return
  const statements = statementsIn(found.evidence, found.terms).filter(isFirst).slice(0, limits.statements)
  if (new Set(statements.map(({ document }) => document)).size < 2) return
  const pairs = await pairsIn(judge, statements, found)
  if (!pairs) return
  const verdicts = new Map(
    pairs.flatMap(({ a, b, verdict }) => {
      const [one, other] = [statements[a - 1], statements[b - 1]]
      return one && other ? [[keyOf(one, other), verdict === 'differ'] as const] : []
    }),
  )
  if (verdicts.size > 0) settleBy(found, (a, b) => verdicts.get(keyOf(a, b)))
}

async function pairsIn(judge: Models, statements: readonly Said[], { meter }: Pick<Found, 'meter'>): Promise<Pairs | undefined> {
  const key = fingerprint('disagreements', judge.text?.id ?? '', ...statements.flatMap(({ document, quote }) => [document, quote]))
  const known = remembered.get(key)
  if (known) return known
  const messages = promptOf(statements)
  const tokens = limits.reply * (limits.pairs + 1)
  try {
    const reply = await meter.call('judge', writingBound(judge, messages, tokens, SCHEMA), ({ mayRepeat }) =>
      judge.write(messages, { tokens, schema: SCHEMA, mayRepeat }),
    )
    if (!reply) return undefined
    if (reply.truncated) meter.degraded.add('truncated')
    const { pairs } = REPLY.parse(parseJson(reply.text))
    remember(key, pairs)
    return pairs
  } catch {
    meter.degraded.add('judge')
    return undefined
  }
}

function remember(key: string, pairs: Pairs): void {
  const [oldest] = remembered.keys()
  if (remembered.size >= limits.remembered && oldest !== undefined) remembered.delete(oldest)
  remembered.set(key, pairs)
}

/** A sentence that stands in several pieces of evidence is one statement. */
const isFirst = (one: Said, at: number, all: readonly Said[]): boolean => all.findIndex((other) => placeOf(other) === placeOf(one)) === at

const placeOf = ({ document, start }: Said): string => `${start} ${document}`
const keyOf = (a: Said, b: Said): string => [placeOf(a), placeOf(b)].sort().join('\n')

function promptOf(statements: readonly Said[]): readonly Message[] {
  const numbers = new Map([...new Set(statements.map(({ document }) => document))].map((document, i) => [document, i + 1]))
  const listed = fenceTexts(
    statements.map(
      ({ document, title, quote }, i) =>
        `${i + 1}. (document ${numbers.get(document)}${title ? `, “${clipToTokens(title, 16)}”` : ''}) ${clipToTokens(quote, limits.tokens)}`,
    ),
  )
  return [
    {
      role: 'system',
      content:
        'You compare numbered statements from different documents. List a pair only if both speak of the same fact about the same thing, in whatever words: ' +
        '"differ" if they cannot both be true at the same time, such as another number, date, name, or the contrary; "same" if they say the same. ' +
        'Statements about different things, times, places or cases are no pair. Use no other knowledge. ' +
        `${listed.law} Reply with JSON: {"pairs": [{"a": 1, "b": 4, "verdict": "differ"}, …]}, or {"pairs": []}.`,
    },
    { role: 'user', content: `Statements:\n${listed.block}` },
  ]
}
