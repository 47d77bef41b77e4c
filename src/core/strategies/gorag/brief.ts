/**
 * What a model is asked, and how its answer is read (GORAG Eq. 10–12): to choose among the candidates, and to describe a label from
 * its examples. Texts are data here; the caller makes the prompt. An answer that names no candidate is no decision.
 */
import type { Brief } from '../../strategy'
import type { Classification, ScoredLabel } from './classify'
import { labelKeywords } from './classify'
import type { GoragIndex } from './index'
import { nameOf } from './label-name'
import { labelNode } from './rows'
import type { GoragSettings } from './settings'
import { viewOf } from './view'

export const asking = {
  /** Tokens of a label's description; the official code's. */
  description: 32,
  /** Tokens of the answer; the official code's. */
  answer: 32,
  /** How often a model is taken to be right; only weighs its choice against the score. */
  right: 0.8,
} as const

export interface DecisionBrief {
  /** Absent where the model is shown keywords alone. */
  readonly text: string | undefined
  readonly keywords: readonly string[]
  readonly candidates: readonly Pick<ScoredLabel, 'label' | 'description' | 'keywords'>[]
}

export function decisionBrief(text: string, found: Classification, settings: GoragSettings): DecisionBrief {
  return {
    text: settings.prompt === 'text' ? text : undefined,
    keywords: found.keywords,
    candidates: found.candidates.map(({ label, description, keywords }) => ({ label, description, keywords })),
  }
}

/** The candidate a reply names: alone, in quotes, as `{"label": …}`, with other case or spaces for underscores. Null for anything else. */
export function readDecision(reply: string, candidates: readonly { readonly label: string }[]): string | null {
  const quoted = /"label"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(reply)?.[1]
  const said = plain(quoted ?? reply)
  const exact = candidates.filter(({ label }) => label === (quoted ?? reply).trim())
  const [only, other] = exact.length === 1 ? exact : candidates.filter(({ label }) => plain(label) === said)
  return only && !other ? only.label : null
}

/**
 * The classification with the model's choice taken in: the choice is the label, and its confidence the probability given that a
 * model is right as often as assumed and otherwise names any other candidate.
 */
export function decided(found: Classification, choice: string): Classification {
  const others = Math.max(1, found.candidates.length - 1)
  const weighed = found.candidates.map((one) => ({
    ...one,
    score: one.score * (one.label === choice ? asking.right : (1 - asking.right) / others),
  }))
  const total = weighed.reduce((sum, { score }) => sum + score, 0)
  const candidates = weighed
    .map((one) => ({ ...one, score: total > 0 ? one.score / total : 0 }))
    .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1))
  return { ...found, label: choice, confidence: candidates.find(({ label }) => label === choice)?.score ?? 0, candidates }
}

/** Asks for a label's description. Without a model its strongest keywords stand in for one. Undefined for a label that is not there or has one. */
export function labelBrief(index: GoragIndex, id: string, settings: GoragSettings): (Brief & { readonly kind: 'summarize' }) | undefined {
  const node = labelNode(id)
  const row = index.labelled.labels.get(node)
  if (row?.description.trim() !== '') return undefined
  const view = viewOf(index, settings, 0)
  const texts = [...index.labelled.texts.values()].filter(({ label, kind }) => label === node && kind === 'example').map(({ text }) => text)
  return {
    kind: 'summarize',
    role: 'label',
    subject: nameOf(id) || id,
    texts: texts.sort(),
    tokens: asking.description,
    fallback: labelKeywords(view, view.labelled.numbers.get(node) ?? 0).join(', '),
  }
}

function plain(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/^[\s"'`*.:]+|[\s"'`*.:]+$/g, '')
}
