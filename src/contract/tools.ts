/** Functions that the caller has: the answering model may ask for one instead of answering, and continues with what it returned. */
import { z } from 'zod'
import { exact } from './exact'
import { upTo } from './fields'
import type { Immutable } from './immutable'

const MAX_TOOLS = 128
const MAX_TURNS = 50
const MAX_BYTES = 64 * 1024 // for all tools as JSON, and for one result

export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 of A–Z, a–z, 0–9, _ and -')

export const toolCall = z.object({
  id: z.string().min(1).max(256).describe('Send it back with what the function returned.'),
  name: toolName,
  arguments: upTo(MAX_BYTES).describe('JSON, as the model wrote it; not validated.'),
})

const tool = exact({
  name: toolName,
  description: z.string().max(4096).optional(),
  parameters: z
    .unknown()
    .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be a JSON Schema object')
    .meta({ type: 'object', additionalProperties: true })
    .optional()
    .describe('The JSON Schema of its arguments.'),
})

const turn = z.discriminatedUnion('role', [
  exact({
    role: z.literal('assistant'),
    content: upTo(MAX_BYTES).optional(),
    tool_calls: z.array(exact(toolCall.shape)).min(1).max(MAX_TOOLS),
  }),
  exact({ role: z.literal('tool'), tool_call_id: z.string().min(1).max(256), content: upTo(MAX_BYTES) }),
])

/** Of a question. */
export const withTools = {
  tools: z
    .array(tool)
    .max(MAX_TOOLS)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'each name may occur only once')
    .refine((all) => new TextEncoder().encode(JSON.stringify(all)).length <= MAX_BYTES, `at most ${MAX_BYTES} bytes of JSON together`)
    .optional()
    .describe('Your functions that the answering model may ask for (`tool_calls`). Refused if the model cannot call any.'),
  tool_choice: z
    .union([z.enum(['auto', 'required', 'none']), exact({ name: toolName })])
    .optional()
    .describe('Whether the model may, must or must not call functions, or must call this one; `auto` by default.'),
  tool_turns: z
    .array(turn)
    .max(MAX_TURNS)
    .optional()
    .describe('The calls that were asked for in this question so far, and what each returned.'),
}

/** Names of Workers AI models that the vendor lists with function calling; `TOOL_MODELS` names others. */
export const TOOL_MODELS: readonly string[] = [
  'hermes-2-pro-mistral-7b',
  'llama-3.3-70b-instruct',
  'llama-4-scout',
  'mistral-small-3.1',
  'qwen3-30b-a3b',
  'granite-4.0',
  'gpt-oss',
  'glm-4.7',
  'kimi-k2',
]

export type ToolCall = Immutable<z.output<typeof toolCall>>
export type Tool = Immutable<z.output<typeof tool>>
export type ToolTurn = Immutable<z.output<typeof turn>>
export type ToolChoice = 'auto' | 'required' | { readonly name: string }

/** What the model is given besides the question and its sources. */
export interface ToolUse {
  readonly tools: readonly Tool[]
  readonly choice: ToolChoice
  readonly turns: readonly ToolTurn[]
}
