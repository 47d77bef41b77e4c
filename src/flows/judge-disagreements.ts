/**
 * A model's verdict on statements of different documents: which contradict each other, in whatever words, and which say the same although rules
 * find a difference; and what older versions of a document said in other words than it says now. One call for a question, parsed by a schema,
 * remembered, within the budget. Whatever goes wrong, the rules' verdict stands.
 */
import { fingerprint } from '../core/ids'
import { type Reworded, type Said, statementsIn } from '../core/reader/disagreements'
import { comparedWithNow, currentBeside, type RemovedStatement } from '../core/reader/removed-statements'
import type { Models } from '../ports/models'
import type { AskDeps } from './ask-types'
import { writingBound } from './call-bounds'
import { type Compared, comparisonPrompt, MAX_ASKED, PAIRS, PAIRS_ROOM, PAIRS_SCHEMA, type Pairs } from './compare-statements'
import { settleBy } from './disagreeing'
import type { Found } from './found'
import { parseJson } from './reply-json'

const MAX_REMEMBERED = 500 // replies, in an isolate
const remembered = new Map<string, Pairs>()

/** Before the answer is written or read, if there is a judge and at least two documents, or two versions of one, have something to say. */
export async function judgeDisagreements({ judge }: Pick<AskDeps, 'judge'>, found: Found): Promise<void> {
  if (!judge?.text || found.points || found.overview) return
  const { current, removed } = statementsFor(found)
  if (removed.length === 0 && new Set(current.map(({ document }) => document)).size < 2) return
  const earlier = removed.map(({ document, quote }): Compared => ({ document, quote, isEarlier: true }))
  const pairs = await pairsIn(judge, [...current, ...earlier], found)
  if (!pairs) return
  const verdicts = new Map(
    pairs.flatMap(({ a, b, verdict }) => {
      const [one, other] = [current[a - 1], current[b - 1]]
      return one && other ? [[keyOf(one, other), verdict === 'differ'] as const] : []
    }),
  )
  const reworded = rewordedBy(pairs, current, removed)
  if (verdicts.size > 0 || reworded.length > 0) settleBy(found, { differ: (a, b) => verdicts.get(keyOf(a, b)), reworded })
}

/** What documents say now about what is asked, and what older versions of them said. */
function statementsFor({ evidence, terms, question, removed: gone = [] }: Found) {
  const asked = statementsIn(evidence, terms).filter(isFirst).slice(0, MAX_ASKED)
  const isAsked = (one: Said): boolean => asked.some((other) => placeOf(other) === placeOf(one))
  const beside = currentBeside(evidence, question, gone)
    .filter((one) => !isAsked(one))
    .filter(isFirst)
  const current = [...asked, ...beside.slice(0, comparedWithNow.current)]
  const removed = gone.filter(({ document }) => current.some((one) => one.document === document)).slice(0, comparedWithNow.removed)
  return { current, removed }
}

/** Each earlier statement replaced at most one, and none if its document still says so. */
function rewordedBy(pairs: Pairs, current: readonly Said[], removed: readonly RemovedStatement[]): readonly Reworded[] {
  const found = pairs.flatMap(({ a, b, verdict }) => {
    const said = current[Math.min(a, b) - 1]
    const gone = removed[Math.max(a, b) - 1 - current.length]
    return said && gone && said.document === gone.document ? [{ said, gone, verdict }] : []
  })
  return removed.flatMap((gone) => {
    const own = found.filter((one) => one.gone === gone)
    const [first] = own
    if (!first || own.some(({ verdict }) => verdict === 'same')) return []
    const { document: _, ...earlier } = gone
    return [{ current: first.said, earlier: { start: first.said.start, end: first.said.end, ...earlier } }]
  })
}

async function pairsIn(judge: Models, statements: readonly Compared[], { meter }: Pick<Found, 'meter'>): Promise<Pairs | undefined> {
  const said = statements.flatMap(({ document, quote, isEarlier }) => [document, quote, isEarlier ? 'earlier' : 'now'])
  const key = fingerprint('disagreements', judge.text?.id ?? '', ...said)
  const known = remembered.get(key)
  if (known) return known
  const messages = comparisonPrompt(statements)
  const tokens = PAIRS_ROOM
  try {
    const reply = await meter.call('judge', writingBound(judge, messages, tokens, PAIRS_SCHEMA), ({ mayRepeat }) =>
      judge.write(messages, { tokens, schema: PAIRS_SCHEMA, mayRepeat }),
    )
    if (!reply) return undefined
    if (reply.truncated) meter.degraded.add('truncated')
    const { pairs } = PAIRS.parse(parseJson(reply.text))
    remember(key, pairs)
    return pairs
  } catch {
    meter.degraded.add('judge')
    return undefined
  }
}

function remember(key: string, pairs: Pairs): void {
  const [oldest] = remembered.keys()
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  remembered.set(key, pairs)
}

/** A sentence that stands in several pieces of evidence is one statement. */
const isFirst = (one: Said, at: number, all: readonly Said[]): boolean => all.findIndex((other) => placeOf(other) === placeOf(one)) === at

const placeOf = ({ document, start }: Said): string => `${start} ${document}`
const keyOf = (a: Said, b: Said): string => [placeOf(a), placeOf(b)].sort().join('\n')
