/**
 * The answers of the catalogue's models in one shape. The shape differs by model and by date: `{response}` (text, object, even a number), `{choices}` as
 * OpenAI has it, `{output}` as its Responses API has it. Nothing is checked for meaning here.
 */
import type { Spent } from '../contract/usage'
import { modelError } from './workers-ai-faults'

const SLACK = 16_384 // characters beside the reply itself
const CHARACTERS = 32 // of one token, on average over a reply

type Loose = { readonly [key: string]: unknown }

/** Characters a reply of so many tokens may have: several times what any vocabulary needs, and a bound on all that is done with it. */
export function maxCharacters(tokens: number): number {
  return SLACK + tokens * CHARACTERS
}

/** The text of a finished reply, without the model's thinking. Rejects an empty one, and one that no model of this room can have written. */
export function textOf(reply: unknown, tokens: number): string {
  const text = spokenOf(reply, tokens)
  if (text === '') throw modelError('invalid')
  return text
}

/** The same of a reply that may say nothing, since it asks for functions. */
export function spokenOf(reply: unknown, tokens: number): string {
  const all = found(reply) ?? ''
  if (all.length > maxCharacters(tokens)) throw modelError('invalid')
  return spokenPart(all).trim()
}

/**
 * Was the reply cut where its room ended? Shapes with a finish reason say so; `{response}` has none, and there the count of tokens
 * tells. An object was parsed by the vendor: it is whole.
 */
export function isCut(reply: unknown, room: number, written: number): boolean {
  const said = endOf(reply)
  if (said !== undefined) return said === 'cut'
  const { response } = loose(reply)
  if (typeof response === 'object' && response !== null) return false
  return written >= room
}

/** What the finish reason of a reply, or of an event of a stream, says; undefined where there is none. */
export function endOf(reply: unknown): 'whole' | 'cut' | undefined {
  const body = loose(reply)
  const choice = loose(list(body.choices)[0])
  const reason = choice.finish_reason ?? body.finish_reason ?? loose(body.incomplete_details).reason
  if (typeof reason !== 'string') return undefined
  return reason === 'length' || reason === 'max_tokens' || reason === 'max_output_tokens' ? 'cut' : 'whole'
}

/** The piece of text in one event of a stream; empty where the event carries none. */
export function deltaOf(event: unknown): string {
  const body = loose(event)
  if (body.type === 'response.output_text.delta') return plain(body.delta)
  const choice = loose(list(body.choices)[0])
  return plain(loose(choice.delta).content) || plain(choice.text) || plain(body.response)
}

/** Tokens as the model counted them, or undefined. */
export function usageOf(reply: unknown): Spent | undefined {
  const usage = loose(loose(reply).usage)
  const read = whole(usage.prompt_tokens ?? usage.input_tokens)
  const written = whole(usage.completion_tokens ?? usage.output_tokens)
  return read + written > 0 ? { in: read, out: written, embedded: 0 } : undefined
}

/** Vectors in the order of the texts, from `{data}`, `{response}` or OpenAI's `{data: [{embedding, index}]}`. What is no list of numbers is empty. */
export function vectorsOf(reply: unknown, count: number): readonly (readonly number[])[] {
  const body = loose(reply)
  const rows = list(body.data ?? body.response ?? loose(body.result).data)
  const vectors = rows.map((row) => list(Array.isArray(row) || ArrayBuffer.isView(row) ? row : loose(row).embedding))
  const indexed = rows.map((row, i) => ({ at: whole(loose(row).index ?? i), vector: vectors[i] ?? [] })).sort((a, b) => a.at - b.at)
  if (indexed.length !== count) throw modelError('invalid')
  return indexed.map(({ vector }) => (vector.every((one) => typeof one === 'number') ? (vector as readonly number[]) : []))
}

/** Can it stand for a text? Not where it is of another length, holds what is no number, is too large to be squared, or is nothing but zeros. */
export function isUsable(vector: readonly number[], dimensions: number): boolean {
  const square = vector.reduce((sum, one) => sum + one * one, 0)
  return vector.length === dimensions && Number.isFinite(square) && square > 0
}

/** Scores in the order of the contexts; one the model left out is the lowest it gave. */
export function scoresOf(reply: unknown, count: number): readonly number[] {
  const rows = list(loose(reply).response ?? loose(reply).data ?? loose(reply).results).map(loose)
  const known = new Map<number, number>()
  for (const row of rows) {
    const score = row.score ?? row.relevance_score
    if (typeof score === 'number' && Number.isFinite(score)) known.set(whole(row.id ?? row.index), score)
  }
  if (known.size === 0) throw modelError('invalid')
  const min = Math.min(...known.values())
  return Array.from({ length: count }, (_, i) => known.get(i) ?? min)
}

function found(reply: unknown): string | undefined {
  if (typeof reply === 'string') return reply
  const body = loose(reply)
  if (body.response !== undefined && body.response !== null) return written(body.response)
  const choice = loose(list(body.choices)[0])
  const content = loose(choice.message).content ?? choice.text
  if (content !== undefined && content !== null) return written(content)
  if (typeof body.output_text === 'string') return body.output_text
  const message = list(body.output)
    .map(loose)
    .find((item) => item.type === 'message')
  if (message) return written(message.content)
  return body.result === undefined ? undefined : found(body.result)
}

/** Text as it is, parts joined, any other value as JSON. */
function written(value: unknown): string {
  if (typeof value === 'string') return value
  const parts = list(value).map((part) => loose(part).text)
  if (parts.length > 0 && parts.every((part) => typeof part === 'string')) return parts.join('')
  return JSON.stringify(value)
}

/** A model that thinks aloud closes its thinking with a tag; thinking that never ended leaves no reply. */
function spokenPart(text: string): string {
  const end = text.lastIndexOf('</think>')
  if (end >= 0) return text.slice(end + '</think>'.length)
  return /^\s*<think>/.test(text) ? '' : text
}

/** Some models stream a token that looks like a number as a number. */
function plain(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : []
}

function whole(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? Math.round(value) : 0
}
