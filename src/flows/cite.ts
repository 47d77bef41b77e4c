/**
 * From an answer with markers to citations that can be checked: the sentence of the named source that supports the statement best,
 * at its place in the document, verified against the stored text. What cannot be found or verified is dropped and counted, never shown.
 */

import type { Citation } from '../contract/questions'
import type { Evidence } from '../core/evidence'
import type { Span } from '../core/graph/types'
import { readTerms as terms } from '../core/text/read-terms'
import { sentences } from '../core/text/sentences'
import type { CorpusObject } from '../ports/object'
import type { Claim } from './claims'

const QUESTION = 0.25 // weight of a term of the question: "Yes [1]." shares no word with its source but the question does

export interface Cited {
  readonly citations: readonly Citation[]
  readonly dropped: number
}

export interface Answered {
  readonly question: string
  readonly evidence: readonly Evidence[]
}

type Proposed = Omit<Citation, 'verified'>

export async function citeStatements(
  corpus: Pick<CorpusObject, 'verify'>,
  statements: readonly Claim[],
  answered: Answered,
): Promise<Cited> {
  const questionTerms = new Set(terms(answered.question))
  const wanted = statements.flatMap((claim) => claim.markers.map((marker) => ({ claim, marker })))
  const found = wanted.map(({ claim, marker }) => proposal(claim, marker, questionTerms, answered.evidence))
  return verified(corpus, found)
}

/** Keeps the proposals that the stored text confirms. Undefined: nothing was found to quote. */
export async function verified(corpus: Pick<CorpusObject, 'verify'>, proposed: readonly (Proposed | undefined)[]): Promise<Cited> {
  const found = proposed.filter((one) => one !== undefined)
  const quotes = found.map(({ document, start, end, quote }) => ({ document, start, end, quote }))
  const verdicts = quotes.length > 0 ? await corpus.verify(quotes) : []
  const citations = found.flatMap((one, i): Citation[] => {
    const location = verdicts[i]
    return location ? [{ ...one, ...location, verified: true }] : []
  })
  return { citations, dropped: proposed.length - citations.length }
}

function proposal(claim: Claim, marker: number, questionTerms: ReadonlySet<string>, evidence: readonly Evidence[]): Proposed | undefined {
  const claimed = new Set(terms(claim.text))
  const worth = (text: string): number => {
    const own = new Set(terms(text))
    let sum = 0
    for (const term of own) sum += claimed.has(term) ? 1 : questionTerms.has(term) ? QUESTION : 0
    return own.size > 0 ? sum / Math.sqrt(own.size) : 0
  }
  let best: { readonly source: Evidence; readonly span: Span; readonly score: number } | undefined
  for (const source of sourcesOf(marker, evidence)) {
    for (const span of sentences(source.text)) {
      const score = worth(source.text.slice(span.start, span.end))
      if (score > (best?.score ?? 0)) best = { source, span, score }
    }
  }
  return best && placed(best.source, best.span, marker, { start: claim.start, end: claim.end })
}

/** A quote at its place in the document. Undefined if the source has none. */
export function placed(source: Evidence, within: Span, marker: number, span: Span): Proposed | undefined {
  if (source.document === null || source.start === null) return undefined
  return {
    id: source.id,
    marker,
    document: source.document,
    chunk: source.chunk,
    start: source.start + within.start,
    end: source.start + within.end,
    quote: source.text.slice(within.start, within.end),
    ...(source.title === undefined ? {} : { title: source.title }),
    ...(source.url === undefined ? {} : { url: source.url }),
    ...(source.dates ? { dates: source.dates } : {}),
    span,
  }
}

/** The source that a marker names; for a summary, community or entity the passages behind it, including any shown for another reason. */
function sourcesOf(marker: number, evidence: readonly Evidence[]): readonly Evidence[] {
  const named = evidence[marker - 1]
  if (!named) return []
  if (named.document !== null) return [named]
  const behind = evidence.filter((one) => one.document !== null && one.via === `supports ${named.id}`)
  return behind.length > 0 ? behind : evidence.filter((one) => one.document !== null)
}
