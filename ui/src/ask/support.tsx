/** Whether a statement's citations support it: a sign after the statement, with the reason. */
import type { ClaimSupport } from '../../../src/client/client'

const WEAK = 0.5 // share of a statement that its sources must state for it to count as weakly supported

type Reason = ClaimSupport['reasons'][number]
type Level = 'supported' | 'weak' | 'unsupported' | 'contradicted'

const SIGN: Readonly<Record<Level, string>> = { supported: '✓', weak: '~', unsupported: '?', contradicted: '✗' }
const WORDS: Readonly<Record<Level, string>> = {
  supported: 'supported by its source',
  weak: 'weakly supported',
  unsupported: 'not supported',
  contradicted: 'contradicted by its source',
}
const REASON: Readonly<Record<Reason['fault'], string>> = {
  terms: 'the source does not say',
  name: 'the source does not name',
  number: 'the source has a different number from',
  date: 'the source has a different date from',
  replaced: 'the source says something else instead of',
  misplaced: 'the source says it about something else:',
  negation: 'the source contradicts',
  opposite: 'the source says the opposite of',
  reversed: 'the source says it the other way round:',
  quantifier: 'the source says it about more or fewer than',
  language: 'the source is in another language, which cannot be compared without a model',
  uncited: 'no source is named',
  length: 'it is too long to be compared',
}

export function levelOf({ outcome, score }: Pick<ClaimSupport, 'outcome' | 'score'>): Level {
  return outcome === 'unsupported' && score >= WEAK ? 'weak' : outcome
}

export function Support({ of }: { readonly of: ClaimSupport }) {
  const level = levelOf(of)
  const words = [WORDS[level], ...of.reasons.map(wordsOf)].join('; ')
  return (
    <span class="support" data-level={level} title={words}>
      <span aria-hidden="true">{level === 'supported' ? SIGN.supported : `${SIGN[level]} ${WORDS[level]}`}</span>
      <span class="visually-hidden"> ({words})</span>
    </span>
  )
}

function wordsOf({ fault, claim, source }: Reason): string {
  const said = REASON[fault]
  if (fault === 'language' || fault === 'uncited' || fault === 'length') return said
  return `${said} “${claim}”${source ? ` (it has “${source}”)` : ''}`
}
