/**
 * What a task can cost at most, in tokens: its material, a prompt around it, the longest reply it may have, and that reply's vectors.
 * Unusable replies asked for again are not counted. Pure.
 */
import type { Brief } from './strategy'
import { countTokens } from './text/tokens'

/** Of the prompt around the material; the longest is that of an extraction of units and graph. */
const PROMPT = 450
const room = {
  slack: 1.5, // reply tokens allowed per token asked for: models overrun, and a cut sentence is worse than a long one
  units: 3000, // tokens of a reply with knowledge units: a 1,200-token chunk restated, as JSON
  graph: 2000, // tokens of a reply with entities and relations
  json: 400, // tokens the form of a report takes
} as const

export interface Tokens {
  readonly in: number
  readonly out: number
  readonly embedded: number
}

/** Tokens the reply to a written task may have. */
export function replyRoom(brief: Exclude<Brief, { kind: 'embed' }>): number {
  switch (brief.kind) {
    case 'summarize':
      return Math.ceil(brief.tokens * room.slack)
    case 'report':
      return Math.ceil(brief.tokens * room.slack) + room.json
    case 'extract':
      return (brief.want.units ? room.units : 0) + (brief.want.graph ? room.graph : 0)
  }
}

export function mostOf(brief: Brief): Tokens {
  if (brief.kind === 'embed') return { in: 0, out: 0, embedded: total(brief.texts) }
  const out = replyRoom(brief)
  const material = total(brief.kind === 'extract' ? [brief.name, brief.text] : brief.texts)
  // Asked again for what it has missed, a model reads what it has said as well.
  const again = brief.kind === 'extract' && brief.want.graph ? (brief.gleanings ?? 0) : 0
  return { in: (1 + again) * (PROMPT + material) + again * out, out: (1 + again) * out, embedded: out }
}

function total(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0)
}
