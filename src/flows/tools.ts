/** The caller's functions in addition to the evidence: whether the model asks for one, and what it is told about them. */
import type { QueryResult } from '../contract/questions'
import type { ToolCall, ToolUse } from '../contract/tools'
import { countTokens } from '../core/text/tokens'

/** Says what the sources are for where functions stand beside them. */
export const TOOL_RULE =
  'Where the question asks for something to be done, or for what the sources do not say, call a function that you have been given for it. What a function returned needs no number.'

/** Of the window, what functions and what they returned may take: the rest is for question, sources and answer. */
const SHARE = 0.5

/** All that is sent of them, as text. */
export function textOfTools({ tools, turns }: ToolUse): string {
  return JSON.stringify([tools, turns])
}

/** Tokens they take, where that is too many for this window. */
export function tooMuchFor(use: ToolUse, window: number): { readonly tokens: number; readonly most: number } | undefined {
  const tokens = countTokens(textOfTools(use))
  const most = Math.floor(window * SHARE)
  return tokens > most ? { tokens, most } : undefined
}

type Called = Pick<QueryResult, 'answer' | 'citations' | 'support' | 'generator' | 'grounded' | 'insufficient' | 'dropped' | 'tool_calls'>

/** No answer yet: what the model said beside its calls is passed on unchecked. */
export function calling(text: string, calls: readonly ToolCall[]): Called {
  const nothing = { citations: [], support: [], grounded: false, insufficient: true, dropped: 0 }
  return { ...nothing, answer: text, generator: 'model', tool_calls: [...calls] }
}
