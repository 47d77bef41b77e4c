/** Parses what a caller passed to `env.AI.run` into one of three requests, or refuses it as Workers AI does (5004). */
import { aiLimits } from '../../src/platform-limits'
import { inference } from './faults'

export interface Message {
  readonly role: string
  readonly content: string
  /** Function calls, unchanged. */
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
}

export type Asked =
  /** `truncate`: a text that is too long is cut instead of refused. */
  | { readonly kind: 'embed'; readonly texts: readonly string[]; readonly truncate: boolean }
  | { readonly kind: 'rerank'; readonly query: string; readonly texts: readonly string[]; readonly top: number }
  | {
      readonly kind: 'text'
      readonly messages: readonly Message[]
      readonly stream: boolean
      readonly tokens: number
      readonly temperature: number | undefined
      /** JSON Schema of the reply wanted; null for any JSON object. */
      readonly schema: unknown
      /** Passed on unchanged. */
      readonly tools?: unknown
      readonly toolChoice?: unknown
    }

type Fields = { readonly [key: string]: unknown }

export function read(inputs: unknown): Asked {
  if (!isFields(inputs)) throw inference(5004)
  if (inputs.text !== undefined) return { kind: 'embed', texts: strings([inputs.text].flat()), truncate: inputs.truncate_inputs === true }
  if (inputs.contexts !== undefined) return reranking(inputs)
  return {
    kind: 'text',
    messages: messagesOf(inputs),
    stream: inputs.stream === true,
    tokens: typeof inputs.max_tokens === 'number' ? inputs.max_tokens : aiLimits.defaultMaxTokens,
    temperature: typeof inputs.temperature === 'number' ? inputs.temperature : undefined,
    schema: schemaOf(inputs.response_format),
    ...(inputs.tools === undefined ? {} : { tools: inputs.tools, toolChoice: inputs.tool_choice }),
  }
}

function reranking(inputs: Fields): Asked {
  const contexts = Array.isArray(inputs.contexts) ? inputs.contexts : []
  const texts = strings(contexts.map((context) => (isFields(context) ? context.text : undefined)))
  if (typeof inputs.query !== 'string') throw inference(5004)
  return { kind: 'rerank', query: inputs.query, texts, top: typeof inputs.top_k === 'number' ? inputs.top_k : texts.length }
}

function messagesOf(inputs: Fields): Message[] {
  if (typeof inputs.prompt === 'string') return [{ role: 'user', content: inputs.prompt }]
  if (!Array.isArray(inputs.messages) || !inputs.messages.length) throw inference(5004)
  return inputs.messages.map((message) => {
    if (!isFields(message) || typeof message.role !== 'string' || typeof message.content !== 'string') throw inference(5004)
    const { role, content, tool_calls: calls, tool_call_id: id } = message
    return { role, content, ...(calls === undefined ? {} : { tool_calls: calls }), ...(id === undefined ? {} : { tool_call_id: id }) }
  })
}

function schemaOf(format: unknown): unknown {
  if (!isFields(format)) return undefined
  if (format.type === 'json_object') return null
  return format.type === 'json_schema' ? (format.json_schema ?? null) : undefined
}

function strings(values: readonly unknown[]): string[] {
  return values.map((value) => {
    if (typeof value !== 'string') throw inference(5004)
    return value
  })
}

/** Chat with a picture: a message whose content is in parts. */
export function hasPicture(inputs: unknown): inputs is Fields & { readonly messages: readonly Fields[] } {
  const messages = isFields(inputs) && Array.isArray(inputs.messages) ? inputs.messages : []
  return messages.some((message) => isFields(message) && Array.isArray(message.content))
}

/** As models of the catalogue accept them: text, and pictures as data URLs. */
export function requirePictures({ messages }: { readonly messages: readonly Fields[] }): void {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as unknown[]) : []))
  for (const part of parts) {
    const url = isFields(part) && isFields(part.image_url) ? part.image_url.url : undefined
    const isText = isFields(part) && part.type === 'text' && typeof part.text === 'string'
    if (!isText && !(typeof url === 'string' && /^data:image\/(png|jpeg|webp|gif);base64,./.test(url.slice(0, 64)))) throw inference(5004)
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
