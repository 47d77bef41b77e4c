/** The caller's functions in addition to the evidence: whether the model asks for one, and what it is told about them. */
import type { QueryResult } from '../contract/questions'
import type { ToolCall, ToolUse } from '../contract/tools'
import { countTokens } from '../core/text/tokens'

/** Explains what the sources are for when functions are available too. */
export const TOOL_RULE =
  'Where the question asks for something to be done, or for what the sources do not say, call a function that you have been given for it. What a function returned needs no number.'

/** The share of the window that functions and their results may take: the rest is for question, sources and answer. */
const SHARE = 0.5

/** Everything sent about them, as text. */
export function textOfTools({ tools, turns }: ToolUse): string {
  return JSON.stringify([tools, turns])
}

/** How many tokens they take, if too many for this window. */
export function tooMuchFor(use: ToolUse, window: number): { readonly tokens: number; readonly most: number } | undefined {
  const tokens = countTokens(textOfTools(use))
  const most = Math.floor(window * SHARE)
  return tokens > most ? { tokens, most } : undefined
}

type Called = Pick<QueryResult, 'answer' | 'citations' | 'support' | 'generator' | 'grounded' | 'insufficient' | 'dropped' | 'tool_calls'>

/** No answer yet: text that accompanies the model's calls is passed on unchecked. */
export function calling(text: string, calls: readonly ToolCall[]): Called {
  const nothing = { citations: [], support: [], grounded: false, insufficient: true, dropped: 0 }
  return { ...nothing, answer: text, generator: 'model', tool_calls: [...calls] }
}
