/**
 * Which sentences in a written text its material states. Small models add their own sentences (what they know, or that "the material is a
 * group of passages") and repeat themselves; those are left out. Only what is certainly not in the material is removed: a paraphrase in
 * words that the rules do not know is kept. Without a model, in the languages whose grammar the rules know (core/support); texts in others
 * stay unchanged, except for repetitions.
 */
import type { Report } from '../core/strategy'
import { checkAgainst, type Verdict } from '../core/support/check'
import { languageOf } from '../core/support/grammar/languages'
import { type Passage, readPassage } from '../core/support/read'
import type { Reason } from '../core/support/reason'
import { sentences } from '../core/text/sentences'
import { invalid } from './faults'
import { folded } from './occurs'

const limits = {
  said: 0.45, // share of a sentence's content that the material states, below which it is left out; all such sentences that we read were invented (docs/models.md)
  words: 4, // in a sentence; a shorter one says too little to tell
  digits: 3, // in a number; a small one may have been counted
  stem: 4, // letters of a name that are searched for, whatever its ending
} as const
// "The text states that the ferry …": what it states is wanted. Not if a document itself speaks of another in this way.
const FRAME =
  /^(?:the|this) (?:text|passage|material|document|source|excerpt)s? (?:also |further |then )?(?:state|say|mention|note|explain|indicate|report|add)s? that (?=\p{L}|["“‘'])/iu
const WORDS = /[\p{L}\p{N}]+/gu

export interface Stated<T> {
  readonly value: T
  /** Sentences and findings left out. */
  readonly invented: number
}

/** Rejects with `invalid unsupported` if nothing is left. */
export function statedText(text: string, material: readonly string[]): Stated<string> {
  const { kept, invented } = sifted(text, sieve(material))
  if (kept === '') throw invalid('unsupported')
  return { value: kept, invented }
}

/** A finding whose own sentence is removed is left out entirely. */
export function statedReport(report: Report, material: readonly string[]): Stated<Report> {
  const own = sieve(material)
  const { kept, invented } = sifted(report.summary, own)
  if (kept === '') throw invalid('unsupported')
  const said = new Set([folded(kept)])
  let dropped = invented
  const findings = report.findings.flatMap((finding) => {
    const [summary, explanation] = [sifted(finding.summary, own), sifted(finding.explanation, own)]
    const both = folded(`${summary.kept} ${explanation.kept}`)
    const stands = summary.kept !== '' && !said.has(both)
    said.add(both)
    dropped += stands ? summary.invented + explanation.invented : 1
    const isSame = folded(explanation.kept) === folded(summary.kept)
    return stands ? [{ summary: summary.kept, explanation: isSame ? '' : explanation.kept }] : []
  })
  return { value: { ...report, summary: kept, findings }, invented: dropped }
}

function sifted(text: string, { material, isInvented }: Sieve): { readonly kept: string; readonly invented: number } {
  const said = new Set<string>()
  const all = sentences(text)
  let [kept, end] = ['', 0]
  let invented = 0
  for (const span of all) {
    const claim = unframed(text.slice(span.start, span.end), material)
    const isNew = !said.has(folded(claim))
    said.add(folded(claim))
    if (isNew && !isInvented(claim)) kept += (kept === '' ? '' : text.slice(end, span.start)) + claim
    else invented++
    end = span.end
  }
  return { kept: kept.trim(), invented }
}

function unframed(claim: string, material: string): string {
  const frame = FRAME.exec(claim)?.[0]
  if (frame === undefined || material.includes(folded(frame).trim())) return claim
  const own = claim.slice(frame.length)
  return own.slice(0, 1).toLocaleUpperCase() + own.slice(1)
}

interface Sieve {
  /** Folded. */
  readonly material: string
  isInvented(claim: string): boolean
}

/** The material is read once, when the first sentence is checked. */
function sieve(material: readonly string[]): Sieve {
  let passages: readonly Passage[] | undefined
  const all = folded(material.join('\n'))
  const isInventedOf = (claim: string): boolean => {
    if ((claim.match(WORDS)?.length ?? 0) < limits.words) return false
    passages ??= material.map((text) => readPassage({ text }, languageOf(claim, null)))
    const known = passages.find(({ language }) => language !== null)?.language ?? null
    return languageOf(claim, known) !== null && isSurelyInvented(checkAgainst(claim, passages), all)
  }
  return { material: all, isInvented: isInventedOf }
}

/**
 * Almost nothing of it is in the material, or it has a name or a figure that is not there at all. False if the rules cannot tell: in
 * another language, or too long.
 */
function isSurelyInvented({ outcome, score, reasons }: Verdict, material: string): boolean {
  if (outcome === 'supported' || reasons.some(({ fault }) => fault === 'language' || fault === 'length' || fault === 'uncited'))
    return false
  return (outcome === 'unsupported' && score < limits.said) || reasons.some((reason) => isNowhere(reason, material))
}

function isNowhere({ fault, claim }: Reason, material: string): boolean {
  const word = folded(claim)
  if (fault === 'name') return word.length >= limits.stem && !material.includes(word.slice(0, Math.max(limits.stem, word.length - 2)))
  const digits = word.replace(/\D/g, '')
  return (
    fault === 'number' && digits.length >= limits.digits && !material.replace(/(?<=\d)[,. \u202f\u00a0](?=\d{3})/g, '').includes(digits)
  )
}
