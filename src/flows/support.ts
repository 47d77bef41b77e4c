/**
 * How far an answer's sources support it: each claim is checked against the passages it cites, first without a model, then by the judge if there is one.
 * What is not supported is marked, or left out if the asker wants that; an answer of which nothing is left becomes a refusal.
 */

import type { Citation, ClaimSupport } from '../contract/questions'
import type { Evidence } from '../core/evidence'
import type { Span } from '../core/graph/types'
import { checkAgainst, type Verdict } from '../core/support/check'
import { languageOf } from '../core/support/grammar/languages'
import { type Passage, readPassage } from '../core/support/read'
import { readAssertion } from './assertion'

const limits = {
  elsewhere: 200, // pairs of claims and passages compared to find support for claims whose own citations give none
  named: 3, // of them are named
} as const

export interface Statement extends Span {
  /** Without its markers. */
  readonly text: string
  /** For a sentence quoted letter for letter, perhaps with some of its words in front. */
  readonly sentence?: string
}

export interface Checking {
  readonly question: string
  readonly statements: readonly Statement[]
  /** Verified ones. */
  readonly citations: readonly Citation[]
  readonly evidence: readonly Evidence[]
}

/** Checked without a model. */
export function supportOf({ question, statements, citations, evidence }: Checking): readonly ClaimSupport[] {
  const read = reader(evidence, question)
  let left: number = limits.elsewhere
  return statements.map((statement): ClaimSupport => {
    // Where a marker stood before the full stop, a space is left.
    const claim = statement.text.replace(/\s+(?=[.!?,;:]+$)/, '')
    const stated = statement.sentence ?? claim
    const own = citations.filter(({ span }) => span.start < statement.end && statement.start < span.end)
    // A summary counts together with the passages behind it.
    const places = new Set(own.flatMap(({ id, marker }) => [evidence.findIndex((one) => one.id === id), marker - 1]))
    const verdict = verdictOf(stated, question, [...places].flatMap(read))
    const others =
      verdict.outcome === 'supported'
        ? []
        : evidence.flatMap((one, at) => (places.has(at) || one.document === null ? [] : [at])).slice(0, left)
    left -= others.length
    const elsewhere = others.filter((at) => verdictOf(stated, question, read(at)).outcome === 'supported').slice(0, limits.named)
    return {
      claim,
      span: { start: statement.start, end: statement.end },
      outcome: verdict.outcome,
      by: 'rules',
      score: Math.round(verdict.score * 100) / 100,
      citations: [...new Set(own.map(({ marker }) => marker))],
      reasons: verdict.reasons,
      ...(elsewhere.length > 0 ? { supported_by: elsewhere.map((at) => at + 1) } : {}),
    }
  })
}

/** "No." says that what was asked is not true. */
function verdictOf(claim: string, question: string, passages: readonly Passage[]): Verdict {
  const { text, isDenial } = readAssertion(claim, question)
  const verdict = checkAgainst(text, passages)
  if (!isDenial || passages.length === 0) return verdict
  if (verdict.outcome === 'supported') return { ...verdict, outcome: 'contradicted', reasons: [{ fault: 'negation', claim }] }
  const isDenied =
    verdict.outcome === 'contradicted' &&
    verdict.reasons.every(({ fault }) => fault === 'negation' || fault === 'opposite' || fault === 'reversed')
  return isDenied ? { ...verdict, outcome: 'supported', reasons: [] } : { ...verdict, outcome: 'unsupported' }
}

/** Each passage is read once, whatever the number of claims. */
function reader(evidence: readonly Evidence[], question: string): (at: number) => Passage[] {
  const fallback = languageOf(question, null)
  const known = new Map<number, Passage>()
  return (at) => {
    const one = evidence[at]
    if (!one) return []
    const passage = known.get(at) ?? readPassage({ text: one.text, ...(one.title ? { title: one.title } : {}) }, fallback)
    known.set(at, passage)
    return [passage]
  }
}

export interface Kept {
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly support: readonly ClaimSupport[]
}

/** The answer without its unsupported claims, with adjusted positions. */
export function withoutUnsupported({ answer, citations, support }: Kept): Kept {
  let text = ''
  let end = 0
  const moved = new Map<ClaimSupport, number>()
  for (const claim of support) {
    const { span, outcome } = claim
    if (!span) continue
    if (outcome === 'supported') {
      const between = answer.slice(end, span.start)
      const gap = text === '' ? between.trimStart() : between
      moved.set(claim, text.length + gap.length - span.start)
      text += gap + answer.slice(span.start, span.end)
    }
    end = span.end
  }
  const shift = (span: Span, by: number): Span => ({ start: span.start + by, end: span.end + by })
  return {
    answer: text,
    citations: citations.flatMap((citation) => {
      const claim = [...moved.keys()].find(({ span }) => span && citation.span.start < span.end && span.start < citation.span.end)
      return claim ? [{ ...citation, span: shift(citation.span, moved.get(claim) ?? 0) }] : []
    }),
    support: support.map((claim) => {
      const by = moved.get(claim)
      return { ...claim, span: by === undefined || !claim.span ? null : shift(claim.span, by) }
    }),
  }
}
