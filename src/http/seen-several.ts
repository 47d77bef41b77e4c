/**
 * The same for a question to several corpora (seen-question.ts). Each corpus that logs questions logs its own part: with its own
 * evidence, and the answer only if that rests on nothing else, since a reader of one log need not be allowed to see another corpus,
 * and what is deleted there would not leave this log.
 */
import type { SeveralEvent, SeveralQueryResult, SeveralSearchResult } from '../contract/several'
import type { CorpusRecord } from '../ports/catalogue'
import type { Ctx } from './context'
import { count, log } from './seen-question'

type Answered = Pick<SeveralSearchResult, 'evidence' | 'degraded' | 'versions' | 'timing_ms'> &
  Partial<Pick<SeveralQueryResult, 'answered' | 'answer' | 'confidence' | 'grounded'>>

interface Asked {
  readonly query: string
  readonly records: readonly CorpusRecord[]
}

/** The same result, with the ids under which it is logged, by corpus. */
export function seenBySeveral<T extends Answered>(
  c: Ctx,
  asked: Asked,
  result: T,
): T & { readonly question_ids?: { [corpus: string]: string } } {
  count(c, asked.query, result)
  const ids = Object.fromEntries(asked.records.flatMap((record) => entryOf(c, asked.query, record, result)))
  return Object.keys(ids).length === 0 ? result : { ...result, question_ids: ids }
}

export async function* seenStreamBySeveral(
  c: Ctx,
  asked: Asked,
  events: AsyncGenerator<SeveralEvent, void, void>,
): AsyncGenerator<SeveralEvent, void, void> {
  let found: SeveralSearchResult | undefined
  for await (const event of events) {
    if (event.event === 'retrieval') found = event.data
    if (event.event !== 'done' || !found) yield event
    else {
      const { evidence: _, ...data } = seenBySeveral(c, asked, { ...event.data, evidence: found.evidence })
      yield { event: 'done', data }
    }
  }
}

/** A corpus that took no part logs nothing; if none had any evidence, each one that was asked logs it. */
function entryOf(c: Ctx, query: string, record: CorpusRecord, { versions, answer, ...result }: Answered): [string, string][] {
  const version = versions[record.name]
  const evidence = result.evidence.filter((one) => one.corpus === record.name)
  if (version === undefined || (evidence.length === 0 && result.evidence.length > 0)) return []
  const isOwn = evidence.length === result.evidence.length
  const said = answer === undefined ? {} : { answer: isOwn ? answer : null }
  const id = log(c, record, { ...result, ...said, query, version, evidence })
  return id === undefined ? [] : [[record.name, id]]
}
