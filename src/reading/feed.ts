/** The items of a feed: RSS 2.0, RSS 1.0 and Atom. Text in, data out; nothing in an item is executed or fetched. */
import { Parser } from 'htmlparser2'
import { isoDate } from '../core/text/iso-date'
import { Unreadable } from './unreadable'

export interface FeedItem {
  /** The id by which the feed knows it. */
  readonly id: string
  readonly title: string
  /** As written, perhaps relative; empty: none. */
  readonly link: string
  /** ISO 8601, or null: the feed does not say. */
  readonly published: string | null
  readonly content: string
  /** Whether the content is HTML; plain text otherwise. */
  readonly isHtml: boolean
}

const MAX_DEPTH = 200
const STEP = 64 * 1024 // characters given to the parser at a time
const LONGEST = 2048 // characters of an id or an address
const ROOTS: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf:rdf'])

/** The elements of an item that may contain its content, best first. */
const CONTENTS = ['content:encoded', 'content', 'description', 'summary'] as const
type Content = (typeof CONTENTS)[number]
const isContent = (name: string): name is Content => (CONTENTS as readonly string[]).includes(name)

interface Open {
  readonly texts: Map<string, string>
  link: string
  readonly html: Set<string>
}

/** At most `max` items, in the feed's order. Null: it is not a feed. */
export function readFeed(xml: string, max: number): FeedItem[] | null {
  const items: FeedItem[] = []
  let [depth, root, field, fieldDepth, inner] = [0, '', '', 0, -1]
  let item: (Open & { readonly depth: number }) | undefined
  const parser = new Parser(
    {
      onopentag(raw, attributes) {
        const name = raw.toLowerCase()
        if (++depth > MAX_DEPTH) throw new Unreadable('broken', 'This feed is nested too deeply to be read.')
        if (depth === 1) root = name
        if (!item) {
          if (name === 'item' || name === 'entry') item = { depth, texts: new Map(), link: '', html: new Set() }
          return
        }
        if (depth !== item.depth + 1) return
        ;[field, fieldDepth] = [name, depth]
        if (name === 'link' && attributes.href && (attributes.rel ?? 'alternate') === 'alternate') item.link ||= attributes.href
        if (isContent(name) && isMarkup(name, attributes.type)) item.html.add(name)
        if (name === 'content' && attributes.type === 'xhtml') inner = parser.endIndex + 1
      },
      ontext(text) {
        if (item && field !== '' && inner < 0 && depth === fieldDepth) add(item.texts, field, text)
      },
      onclosetag() {
        if (item && field !== '' && depth === fieldDepth) {
          if (inner >= 0) item.texts.set(field, xml.slice(inner, parser.startIndex))
          ;[field, inner] = ['', -1]
        }
        if (item && depth === item.depth) {
          if (items.length < max) items.push(itemOf(item))
          item = undefined
        }
        depth--
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  for (let at = 0; at < xml.length; at += STEP) parser.write(xml.slice(at, at + STEP))
  parser.end()
  return ROOTS.has(root) ? items : null
}

/** RSS content is HTML; Atom declares its type. */
const isMarkup = (name: Content, type: string | undefined): boolean =>
  name === 'content:encoded' || name === 'description' || type === 'html' || type === 'xhtml' || type === 'text/html'

function add(texts: Map<string, string>, field: string, text: string): void {
  texts.set(field, (texts.get(field) ?? '') + text)
}

function itemOf({ texts, link, html }: Open): FeedItem {
  const said = (...names: readonly string[]): string => names.map((name) => texts.get(name)?.trim() ?? '').find((text) => text !== '') ?? ''
  const named = CONTENTS.find((name) => said(name) !== '')
  const address = (link || said('link')).slice(0, LONGEST)
  return {
    id: (said('guid', 'id') || address).slice(0, LONGEST),
    title: said('title', 'dc:title').replace(/\s+/g, ' '),
    link: address,
    published: isoDate(said('pubdate', 'published', 'dc:date', 'updated')) ?? null,
    content: named ? said(named) : '',
    isHtml: named !== undefined && html.has(named),
  }
}
