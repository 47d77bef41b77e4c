/**
 * What Workers AI refuses before the model is called: too many calls of a task type per minute, too many texts or tokens in an embedding
 * call, too small a context. Numbers and messages: src/platform-limits.ts, and production's as far as they are known.
 */
import { countTokens } from '../../src/core/text/tokens'
import { aiLimits } from '../../src/platform-limits'
import { inference } from './faults'
import type { Asked } from './requests'

export interface AiRules {
  readonly textCallsPerMinute: number
  readonly embeddingCallsPerMinute: number
  readonly rerankCallsPerMinute: number
  readonly maxEmbeddingTexts: number
  readonly maxEmbeddingTokens: number
  /** Tokens of one text, unless it may be truncated. */
  readonly maxTextTokens: number
  /** Tokens of the text model's context. */
  readonly textWindow: number
}

export const aiRules: AiRules = {
  textCallsPerMinute: aiLimits.textCallsPerMinute,
  embeddingCallsPerMinute: aiLimits.embeddingCallsPerMinute,
  rerankCallsPerMinute: aiLimits.rerankCallsPerMinute,
  maxEmbeddingTexts: aiLimits.maxEmbeddingTexts,
  maxEmbeddingTokens: aiLimits.maxEmbeddingTokens,
  maxTextTokens: aiLimits.maxTextTokens,
  textWindow: 32_000,
}

/** When calls of each task type began, oldest first, in milliseconds. */
export type Begun = { readonly [kind in Asked['kind']]: number[] }
export const noneBegun = (): Begun => ({ text: [], embed: [], rerank: [] })

/** Counts one more call, or refuses it. The minute is a sliding window. */
export function admit(asked: Asked, rules: AiRules, begun: Begun, now: number): void {
  const max = { text: rules.textCallsPerMinute, embed: rules.embeddingCallsPerMinute, rerank: rules.rerankCallsPerMinute }[asked.kind]
  const calls = begun[asked.kind]
  while ((calls[0] ?? now) <= now - aiLimits.rateWindowMs) calls.shift()
  if (calls.length >= max) throw inference(3021)
  calls.push(now)
}

/** Refuses what no model would accept. */
export function measure(model: string, asked: Asked, rules: AiRules): void {
  switch (asked.kind) {
    case 'embed':
      measureTexts(model, asked, rules)
      return
    case 'text': {
      const read = asked.messages.reduce((sum, message) => sum + countTokens(message.content), 0)
      if (read + asked.tokens > rules.textWindow) throw inference(5021, contextSize(read + asked.tokens, rules.textWindow))
      return
    }
    case 'rerank':
      if (asked.texts.length > aiLimits.maxRerankContexts) throw inference(5004, `(at most ${aiLimits.maxRerankContexts} contexts a call)`)
  }
}

function measureTexts(model: string, asked: Asked & { kind: 'embed' }, rules: AiRules): void {
  if (asked.texts.length > rules.maxEmbeddingTexts) throw inference(5004, `(at most ${rules.maxEmbeddingTexts} texts a call)`)
  const longest = /\/bge-(small|base|large)-en/.test(model) ? aiLimits.maxEnglishTextTokens : rules.maxTextTokens
  let total = 0
  for (const text of asked.texts) {
    // No token is shorter than a third of a character: most texts need not be counted.
    const tokens = text.length * 3 <= longest ? Math.ceil(text.length / 4) : countTokens(text)
    if (tokens > longest && !asked.truncate) throw inference(3006, '(a text is longer than the model reads)')
    total += Math.min(tokens, longest)
  }
  if (total > rules.maxEmbeddingTokens) throw inference(3006, `(at most ${rules.maxEmbeddingTokens} tokens a call)`)
}

function contextSize(estimated: number, window: number): string {
  return `The estimated number of input and maximum output tokens (${estimated}) exceeded this model context window limit (${window}).`
}
