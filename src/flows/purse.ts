/** What a question may still cost: each call is weighed before it is made, at the most it can come to, so that a budget holds within one question too. */
import { countTokens } from '../core/text/tokens'
import type { Message, Spent, StageSpent, StagesSpent } from '../ports'
import type { AskDeps } from './ask-types'
import type { Posed } from './entry-points'
import type { Meter } from './meter'
import { usdOf } from './prices'

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/** What a call comes to at most; counted only where there is a ceiling. */
export type Most = () => Spent

/** A question that may not be embedded. */
export const UNPOSED: Posed = { spent: NOTHING, calls: 0 }

/** False: over budget, and flagged. */
export function affords({ models }: AskDeps, meter: Meter, stage: string, most: Most): boolean {
  return meter.affords(stage, most, (of, spent) => usdOf(models, spent, of))
}

export function isCapped({ config: { budget } }: Pick<AskDeps, 'config'>): boolean {
  return budget.tokens !== undefined || budget.usd !== undefined
}

/** Asked only where there is a budget: without one nothing is awaited. */
export async function overBudget(deps: AskDeps): Promise<boolean> {
  if (!isCapped(deps)) return false
  const { tokens, usd } = await deps.corpus.purse()
  return tokens === 0 || usd === 0
}

export function embeddingOf(text: string): Most {
  return () => ({ ...NOTHING, embedded: countTokens(text) })
}

/** A cross-encoder reads the question with each text. */
export function rerankingOf(question: string, texts: readonly string[]): Most {
  return () => ({ ...NOTHING, in: countTokens(question) * texts.length + texts.reduce((sum, text) => sum + countTokens(text), 0) })
}

export function writingOf(messages: readonly Message[], tokens: number): Most {
  return () => ({ ...NOTHING, in: messages.reduce((sum, one) => sum + countTokens(one.content), 0), out: tokens })
}

/** Several questions' stages, without embedding: the question was embedded once for all. */
export function together(all: readonly StagesSpent[]): StagesSpent {
  const out: { [stage: string]: StageSpent } = {}
  for (const [stage, spent] of all.flatMap((one) => Object.entries(one))) {
    const before = out[stage]
    if (stage === 'question') continue
    out[stage] = before
      ? {
          calls: before.calls + spent.calls,
          in: before.in + spent.in,
          out: before.out + spent.out,
          embedded: before.embedded + spent.embedded,
        }
      : spent
  }
  return out
}
