/**
 * What a model is asked, and how its answer is read (GORAG Eq. 10–12): to choose among the candidates, and to describe a label from its examples.
 * Texts are data here; the caller makes the prompt. An answer that names no candidate is no decision.
 */
import type { Brief } from '../../strategy'
import type { Classification, ScoredLabel } from './classify'
import { nameOf } from './label-name'

export const promptLimits = {
  /** Tokens of a label's description, as in the official code. */
  description: 32,
  /** Characters of the examples it is written from, for each and in total. */
  example: 500,
  material: 4000,
  /** Tokens of the answer, as in the official code. */
  answer: 32,
  /** How often a model is assumed to be right; this only weighs its choice against the score. */
  right: 0.8,
} as const

export interface DecisionBrief {
  readonly text: string
  readonly keywords: readonly string[]
  readonly candidates: readonly Pick<ScoredLabel, 'label' | 'description' | 'keywords'>[]
}

export function decisionBrief(text: string, found: Classification): DecisionBrief {
  return {
    text,
    keywords: found.keywords,
    candidates: found.candidates.map(({ label, description, keywords }) => ({ label, description, keywords })),
  }
}

/** The candidate that a reply names: alone, in quotes, as `{"label": …}`, in another case or with spaces for underscores. Null for anything else. */
export function readDecision(reply: string, candidates: readonly { readonly label: string }[]): string | null {
  const quoted = /"label"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(reply)?.[1]
  const said = plain(quoted ?? reply)
  const exact = candidates.filter(({ label }) => label === (quoted ?? reply).trim())
  const [only, other] = exact.length === 1 ? exact : candidates.filter(({ label }) => plain(label) === said)
  return only && !other ? only.label : null
}

/**
 * The classification with the model's choice taken into account: the choice is the label, and its confidence is its probability given that a model
 * is right as often as assumed and otherwise names any other candidate.
 */
export function applyChoice(found: Classification, choice: string): Classification {
  const others = Math.max(1, found.candidates.length - 1)
  const weighed = found.candidates.map((one) => ({
    ...one,
    score: one.score * (one.label === choice ? promptLimits.right : (1 - promptLimits.right) / others),
  }))
  const total = weighed.reduce((sum, { score }) => sum + score, 0)
  const candidates = weighed
    .map((one) => ({ ...one, score: total > 0 ? one.score / total : 0 }))
    .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1))
  return { ...found, label: choice, confidence: candidates.find(({ label }) => label === choice)?.score ?? 0, candidates }
}

/**
 * Asks for a label's description from its examples, whatever they are about; undefined if it has one, or if there is nothing to write one from.
 * Examples come in alphabetical order until `promptLimits.material` characters are reached, so their order of arrival does not matter.
 */
export function labelBrief(label: {
  readonly id: string
  readonly description: string
  readonly examples: readonly string[]
}): (Brief & { readonly kind: 'summarize' }) | undefined {
  if (label.description.trim() !== '' || label.examples.length === 0) return undefined
  let room = promptLimits.material
  const texts = [...new Set(label.examples)].sort().flatMap((text) => {
    const part = text.slice(0, Math.min(room, promptLimits.example))
    room -= part.length
    return part === '' ? [] : [part]
  })
  return { kind: 'summarize', role: 'label', subject: nameOf(label.id) || label.id, texts, tokens: promptLimits.description, fallback: '' }
}

function plain(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/^[\s"'`*.:]+|[\s"'`*.:]+$/g, '')
}
