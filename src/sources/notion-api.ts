/**
 * Notion's API: requests at no more than its allowed rate, and the parts of a response that are used. The API exists for this, so
 * robots.txt is not consulted. The token is sent only to the API: redirects are not followed.
 */
import { z } from 'zod'
import { bodyUpTo, reach, retryAfter } from '../outbound/reach'
import { credentialOf, type Failed, failed, type Reader } from './page'

const API = 'https://api.notion.com/v1'
const VERSION = '2025-09-03' // the first in which a database has several data sources
const ANSWER = 8 * 1024 * 1024 // bytes of one response
const TIMEOUT = 60_000 // ms, after which Notion itself gives up
const MINUTE = 60_000 // ms, if it states no time
const PACE = 334 // ms between two requests: Notion allows three a second on average
export const PAGE = 100 // items in a listing, the most it returns

export const uuid = z.string().regex(/^[0-9a-f-]{32,36}$/)
export const fields = z.record(z.string(), z.unknown())
export const pageSchema = z.object({
  object: z.literal('page'),
  id: uuid,
  last_edited_time: z.string().max(64),
  url: z.string().max(2048),
  in_trash: z.boolean().optional(),
  archived: z.boolean().optional(),
  properties: fields,
})
export type NotionPage = z.output<typeof pageSchema>
export const listSchema = z.object({
  results: z.array(z.unknown()),
  has_more: z.boolean(),
  next_cursor: z.string().max(256).nullable(),
  request_status: z.object({ type: z.string() }).optional(),
})
export const blockSchema = fields.and(z.object({ id: uuid, type: z.string(), has_children: z.boolean().optional() }))
export const databaseSchema = z.object({ data_sources: z.array(z.object({ id: uuid })).max(100) })

export const isTrash = ({ in_trash: inTrash, archived }: NotionPage): boolean => inTrash === true || archived === true

export interface Door {
  readonly reader: Reader
  readonly token: string
}

export async function doorOf(reader: Reader, order: Parameters<typeof credentialOf>[1]): Promise<Door | Failed> {
  const token = await credentialOf(reader, order)
  if (token === null) return failed('no_credential')
  return typeof token === 'string' ? { reader, token } : token
}

export const isFailed = (answer: object): answer is Failed => 'kind' in answer && answer.kind === 'failed' && 'last' in answer

/** Notion has no such thing, or has not shared it with the integration. */
export const isAbsent = ({ last }: Failed): boolean => last === 'http_404' || last === 'http_400'

/** Its response, if it has that shape. Never rejects. */
export async function askFor<T extends object>(door: Door, schema: z.ZodType<T>, path: string, body?: object): Promise<T | Failed> {
  const answer = await ask(door, path, body)
  if (isFailed(answer)) return answer
  const read = schema.safeParse(answer)
  return read.success ? read.data : failed('unreadable')
}

/** JSON; at least an object. */
async function ask({ reader, token }: Door, path: string, body?: object): Promise<object | Failed> {
  const headers = new Headers({ 'user-agent': reader.agent, authorization: `Bearer ${token}`, 'notion-version': VERSION })
  if (body) headers.set('content-type', 'application/json')
  const sent = body ? { method: 'POST', body: new TextEncoder().encode(JSON.stringify(body)) } : {}
  await reader.wait(PACE)
  const reached = await reach(reader.network, API + path, { headers, ...sent, signal: AbortSignal.timeout(TIMEOUT) })
  if (reached.kind !== 'answer') return failed(reached.kind === 'refused' ? `refused_${reached.why}` : reached.why)
  const { response } = reached
  try {
    if (response.status === 200) {
      const bytes = await bodyUpTo(response, ANSWER)
      if (!bytes) return failed('too_large')
      const json: unknown = JSON.parse(new TextDecoder().decode(bytes))
      return typeof json === 'object' && json !== null ? json : failed('unreadable')
    }
    await response.body?.cancel()
  } catch (error) {
    return failed(error instanceof SyntaxError ? 'unreadable' : 'network')
  }
  const wanted = retryAfter(response, reader.now())
  // 529 means that the workspace as a whole is too busy.
  return response.status === 429 ? failed('rate_limited', wanted ?? MINUTE) : failed(`http_${response.status}`, wanted)
}
