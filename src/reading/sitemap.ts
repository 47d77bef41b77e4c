/** What a sitemap lists (sitemaps.org): pages, or further sitemaps; as XML or as a list of addresses. Text in, data out. */
import { readXml } from './office/xml'

export interface SitemapEntry {
  readonly url: string
  /** As the site wrote it; empty: it does not say. */
  readonly modified: string
}

export interface Sitemap {
  readonly kind: 'pages' | 'sitemaps'
  readonly entries: readonly SitemapEntry[]
}

const LONGEST = 2048 // characters of an address
const FIELDS: ReadonlySet<string> = new Set(['loc', 'lastmod'])

/** At most `max` of its entries. Null: it is not a sitemap. Throws if it is nested too deeply. */
export function readSitemap(text: string, max: number): Sitemap | null {
  if (!/^\s*</.test(text)) return listOfLines(text, max)
  const entries: SitemapEntry[] = []
  let root = ''
  let field = ''
  let depth = 0
  let now = { loc: '', lastmod: '' }
  readXml(text, {
    open(name) {
      depth++
      if (depth === 1) root = name
      // Extensions have elements with the same names, nested deeper (`image:loc`).
      field = depth === 3 && FIELDS.has(name) ? name : ''
      if (depth === 2) now = { loc: '', lastmod: '' }
    },
    text(one) {
      if (field === 'loc') now.loc = (now.loc + one).slice(0, LONGEST + 1)
      if (field === 'lastmod') now.lastmod = (now.lastmod + one).slice(0, 64)
    },
    close() {
      depth--
      field = ''
      const url = now.loc.trim()
      if (depth !== 1 || url === '') return
      now.loc = ''
      if (entries.length < max && url.length <= LONGEST) entries.push({ url, modified: now.lastmod.trim() })
    },
  })
  if (root !== 'urlset' && root !== 'sitemapindex') return null
  return { kind: root === 'urlset' ? 'pages' : 'sitemaps', entries }
}

function listOfLines(text: string, max: number): Sitemap | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (!lines.every((line) => line.length <= LONGEST && /^https?:\/\//.test(line))) return null
  return { kind: 'pages', entries: lines.slice(0, max).map((url) => ({ url, modified: '' })) }
}
