/** Notion's API as a stand-in: it answers in the shapes of its reference, and refuses what Notion refuses. */
import type { Asked } from './world'

const HEX = (n: number): string => n.toString(16).padStart(12, '0')
export const ID = (n: number): string => `0f0e0d0c-0000-4000-8000-${HEX(n)}`
export const TOKEN = 'ntn_secret_of_the_integration'
const PER_PAGE = 2 // so that small workspaces have several pages of a listing
const PER_SECOND = 3

export const text = (content: string, href: string | null = null) => [{ type: 'text', plain_text: content, href }]
export const block = (n: number, type: string, body: object = {}, has_children = false) => ({
  ...{ object: 'block', id: ID(n), type, has_children, in_trash: false },
  [type]: body,
})

export interface Page {
  title: string
  edited: string
  properties?: object
  trashed?: boolean
  /** Its search does not name it. */
  hidden?: boolean
  /** The data source it is a row of. */
  row?: string
}

export interface Workspace {
  readonly pages: Map<string, Page>
  readonly children: Map<string, readonly ReturnType<typeof block>[]>
  /** Of a database, its data sources. */
  readonly databases: Map<string, readonly string[]>
}

const refuse = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ object: 'error', status, code, message: code }, { status, headers })

export function notionApi(workspace: Workspace, clock: () => number) {
  const times: number[] = []
  return (asked: Asked): Response => {
    times.push(clock())
    if (times.filter((at) => at > clock() - 1000).length > PER_SECOND) return refuse(429, 'rate_limited', { 'retry-after': '5' })
    return refusalOf(asked) ?? answerTo(workspace, asked)
  }
}

function refusalOf({ url, method, headers, body }: Asked): Response | null {
  if (!url.startsWith('https://api.notion.com/v1/')) return refuse(400, 'invalid_request_url')
  if (headers.get('authorization') !== `Bearer ${TOKEN}`) return refuse(401, 'unauthorized')
  if (!/^20(22-06-28|25-09-03|26-03-11)$/.test(headers.get('notion-version') ?? '')) return refuse(400, 'missing_version')
  if (method === 'POST' && headers.get('content-type') !== 'application/json') return refuse(400, 'invalid_json')
  const size =
    method === 'POST' ? (JSON.parse(body) as { page_size?: number }).page_size : Number(new URL(url).searchParams.get('page_size') ?? 100)
  return (size ?? 100) > 100 ? refuse(400, 'validation_error') : null
}

function answerTo({ pages, children, databases }: Workspace, { url, method, body }: Asked): Response {
  const { pathname, searchParams } = new URL(url)
  const [, , kind, given = ''] = pathname.split('/')
  const id = given.includes('-') ? given : given.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const sent = method === 'POST' ? JSON.parse(body) : {}
  const all = [...pages].map(viewOf)
  switch (`${method} ${kind}`) {
    case 'POST search': {
      if (sent.filter?.property !== 'object' || !['page', 'data_source'].includes(sent.filter.value)) return refuse(400, 'validation_error')
      return listed(
        all.filter(({ id: one, in_trash }) => !in_trash && !pages.get(one)?.hidden),
        sent.start_cursor,
      )
    }
    case 'POST data_sources': {
      if (![...databases.values()].flat().includes(id)) return refuse(404, 'object_not_found')
      if (!Array.isArray(sent.sorts)) return refuse(400, 'validation_error')
      return listed(
        all.filter(({ id: one, in_trash }) => !in_trash && pages.get(one)?.row === id),
        sent.start_cursor,
      )
    }
    case 'GET databases': {
      const sources = databases.get(id)
      if (sources) return Response.json({ object: 'database', id, data_sources: sources.map((one) => ({ id: one, name: 'rows' })) })
      return pages.has(id) ? refuse(400, 'validation_error') : refuse(404, 'object_not_found')
    }
    case 'GET pages': {
      const page = pages.get(id)
      return page ? Response.json(viewOf([id, page])) : refuse(404, 'object_not_found')
    }
    case 'GET blocks':
      return pages.has(id) || children.has(id)
        ? listed(children.get(id) ?? [], searchParams.get('start_cursor'))
        : refuse(404, 'object_not_found')
    default:
      return refuse(400, 'invalid_request_url')
  }
}

const viewOf = ([id, { title, edited, properties = {}, trashed = false }]: [string, Page]) => ({
  ...{
    object: 'page',
    id,
    last_edited_time: edited,
    url: `https://www.notion.so/${id.replaceAll('-', '')}`,
    in_trash: trashed,
    archived: trashed,
  },
  properties: { Name: { id: 'title', type: 'title', title: text(title) }, ...properties },
})

function listed(all: readonly object[], cursor: string | null | undefined): Response {
  const from = Number(cursor ?? 0)
  if (!Number.isInteger(from) || from > all.length) return refuse(400, 'validation_error')
  const next = from + PER_PAGE < all.length ? String(from + PER_PAGE) : null
  return Response.json({ object: 'list', results: all.slice(from, from + PER_PAGE), has_more: next !== null, next_cursor: next })
}
