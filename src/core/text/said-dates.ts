/** Dates that a file gives of itself, outside its text, under the names that writers of pages and notes use. Whatever `isoDate` cannot read as a date is ignored. */
import { type DateName, type Dates, dateNames, isoDate, type SourcedDate } from './iso-date'

/** In lower case; the first that is there counts. */
const NAMES: { readonly [name in DateName]: readonly string[] } = {
  published_at: [
    'published_at',
    'published',
    'article:published_time',
    'datepublished',
    'publishdate',
    'pubdate',
    'dc.date.issued',
    'dcterms.issued',
    'citation_publication_date',
    'dc.date',
    'dcterms.date',
    'date',
    'creationdate',
  ],
  valid_from: ['valid_from', 'validfrom', 'effective', 'effective_date', 'dcterms.valid.start'],
  valid_until: ['valid_until', 'validuntil', 'expires', 'expirydate', 'unpublished_at', 'article:expiration_time'],
}

/** `fields` have their names in lower case. */
export function datesIn(fields: ReadonlyMap<string, string>, source: SourcedDate['source']): Dates {
  const found = dateNames.flatMap((name) => {
    const written = NAMES[name].map((field) => fields.get(field)).find((value) => value !== undefined)
    const value = written === undefined ? undefined : isoDate(written)
    return value === undefined ? [] : [[name, { value, source }] as const]
  })
  return Object.fromEntries(found)
}

const FRONT = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/
const FIELD = /^([A-Za-z_]{1,40}):[ \t]*["']?([^"'#\r\n]{4,64})/gm

/** Dates in a Markdown file's front matter: its top-level fields of one line each, which is all of YAML that a date needs. */
export function frontMatterDates(markdown: string): Dates {
  const front = FRONT.exec(markdown)?.[1]
  if (front === undefined) return {}
  const fields = new Map<string, string>()
  for (const [, name = '', value = ''] of front.matchAll(FIELD)) if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value)
  return datesIn(fields, 'front-matter')
}
