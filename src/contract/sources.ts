/** Pages that are fetched repeatedly: one by one, or as a site lists them. */
import { z } from 'zod'
import { address } from './endpoints'
import { exact } from './exact'
import { accessSchema, idSchema } from './fields'
import type { Immutable } from './immutable'
import { objectSchema } from './json-object'
import { isBucket, SOURCE_KINDS, type SourceKind } from './source-kinds'

const MINUTE = 60_000
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE } as const
const MIN = 15 * MINUTE // the schedule checks every five minutes
const MAX = 30 * UNITS.d
export const everySchema = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, 'a number and `m`, `h` or `d`, such as `1h`')
  .refine((text) => msOf(text) >= MIN && msOf(text) <= MAX, 'from `15m` to `30d`')

export function msOf(every: string): number {
  return Number(every.slice(0, -1)) * UNITS[every.slice(-1) as keyof typeof UNITS]
}

/** The largest unit that expresses it in whole numbers. */
export function everyOf(ms: number): string {
  const [unit, size] = ms % UNITS.d === 0 ? ['d', UNITS.d] : ms % UNITS.h === 0 ? ['h', UNITS.h] : ['m', UNITS.m]
  return `${ms / Number(size)}${unit}`
}

export const sourceLimits = { items: 10_000, globs: 50, goneAfter: 10 } as const
const ITEMS = 1000 // documents of a source, by default

/** What happens by default to the document of something that is gone, and after how many checks in a row without it. */
export const goneBy = (kind: SourceKind) =>
  isBucket(kind) ? ({ on_gone: 'delete', gone_after: 1 } as const) : ({ on_gone: 'keep', gone_after: 2 } as const)

const globs = z.array(z.string().min(1).max(256)).max(sourceLimits.globs).default([])

const keyPart = z.string().regex(/^[\x21-\x7e]{4,255}$/, '4 to 255 characters without spaces')
const R2 = /^r2:\/\/[a-z0-9][a-z0-9-]{1,61}[a-z0-9](\/[^\0]*)?$/
/** A workspace, or a database or page of it, whose id ends the address. */
const NOTION = /^https:\/\/((www|app)\.)?notion\.(so|com)\/?$|^https:\/\/([\w-]+\.)?notion\.(so|com|site)\/[^?#]*[0-9a-f]{32}([?#].*)?$/
/** A channel, as its link is copied: its id ends the path. */
const SLACK = /^https:\/\/([\w-]+\.)*slack\.com\/(archives|client\/[A-Z0-9]+)\/[CG][A-Z0-9]{6,20}\/?$/
const S3 = /^https:\/\/[^/?#]+\/[A-Za-z0-9][A-Za-z0-9._-]{1,62}(\/[^?#]*)?$/

/** Fields of only some kinds. */
const KNOWN: { readonly [field: string]: readonly SourceKind[] } = {
  document: ['page'],
  include: ['sitemap', 'feed', 'github', 'r2', 's3'],
  exclude: ['sitemap', 'feed', 'github', 'r2', 's3'],
  ref: ['github'],
  token: ['github', 'notion', 'slack'],
  access_key_id: ['s3'],
  secret_access_key: ['s3'],
  region: ['s3'],
  content: ['feed'],
}

const token = z
  .string()
  .regex(/^[\x21-\x7e]{8,255}$/, '8 to 255 characters without spaces')
  .describe(
    'For `github`: a token that may read the contents of a private repository. For `notion`: the secret of an integration. For `slack`: a bot token (`xoxb-…`). It is stored sealed and never shown.',
  )

export const sourceSchema = exact({
  kind: z
    .enum(SOURCE_KINDS)
    .default('page')
    .describe(
      '`page`: one page, one document. `sitemap`: the pages a sitemap lists. `feed`: the items of an RSS or Atom feed. `github`: the files of a repository. `notion`: the pages of a workspace, or of a database or page of it. `slack`: a channel, a document per day. `r2`, `s3`: the objects of a bucket.',
    ),
  url: address.describe(
    'A public https address; the site’s robots.txt is respected. For `github`: `https://github.com/owner/name`. For `notion`: `https://www.notion.so`, or the address of a database or page. For `slack`: `https://slack.com/archives/C0123456789`, the link of a channel. For `r2`: `r2://bucket/prefix`, a bucket bound to the deployment; this needs an admin key. For `s3`: `https://endpoint/bucket/prefix`.',
  ),
  every: everySchema.default('1d').describe('How often it is checked, from `15m` to `30d`.'),
  document: idSchema.nullish().describe('For a `page`: the id of its document; the URL by default.'),
  metadata: objectSchema.nullish().describe('Metadata given to each document it brings.'),
  access: accessSchema.default([]).describe('Labels given to each document it brings; none by default.'),
  on_gone: z
    .enum(['keep', 'delete'])
    .nullish()
    .describe('What happens to a document when its page or object is gone. By default documents are kept; those of objects are deleted.'),
  gone_after: z
    .int()
    .min(1)
    .max(sourceLimits.goneAfter)
    .nullish()
    .describe('How many checks in a row must miss a page (404, 410, or not listed) before it counts as gone; 2 by default, 1 for objects.'),
  include: globs.describe('The paths to include, such as `/docs/**`; all by default. `*` matches anything but `/`, `**` matches anything.'),
  exclude: globs.describe('The paths to leave out.'),
  max_items: z.int().min(1).max(sourceLimits.items).default(ITEMS).describe('The most items it takes from one listing.'),
  ref: z
    .string()
    .regex(/^[\w][\w./-]{0,199}$/, 'a branch, a tag or a commit')
    .nullish()
    .describe('For `github`: the branch, tag or commit; the default branch by default.'),
  token: token.nullish(),
  access_key_id: keyPart
    .nullish()
    .describe(
      'For `s3`: an access key, with its secret, that may list the bucket and read its objects. It is stored sealed and never shown.',
    ),
  secret_access_key: keyPart.nullish(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'a region, such as `eu-central-1`')
    .nullish()
    .describe('For `s3`: the region. By default taken from the host name of AWS, otherwise `us-east-1`.'),
  content: z
    .enum(['linked', 'feed'])
    .default('linked')
    .describe('For a feed: the page an item links to (if it is on the feed’s own site), or the content of the feed itself.'),
}).superRefine((sent, context) => {
  if (sent.kind === 'github' && !isRepository(sent.url))
    context.addIssue({ code: 'custom', path: ['url'], message: '`https://github.com/owner/name`' })
  if (sent.kind === 'r2' && !R2.test(sent.url)) context.addIssue({ code: 'custom', path: ['url'], message: '`r2://bucket/prefix`' })
  if (sent.kind === 's3' && !S3.test(sent.url))
    context.addIssue({ code: 'custom', path: ['url'], message: '`https://endpoint/bucket/prefix`' })
  if (sent.kind === 'notion' && !NOTION.test(sent.url))
    context.addIssue({ code: 'custom', path: ['url'], message: '`https://www.notion.so`, or the address of a database or page' })
  if (sent.kind === 'slack' && !SLACK.test(sent.url))
    context.addIssue({ code: 'custom', path: ['url'], message: '`https://slack.com/archives/` and the id of a channel' })
  if ((sent.kind === 'notion' || sent.kind === 'slack') && sent.token == null)
    context.addIssue({ code: 'custom', path: ['token'], message: `is required for a source of kind \`${sent.kind}\`` })
  if (sent.kind === 'slack' && sent.token != null && !/^xox[bp]-/.test(sent.token))
    context.addIssue({ code: 'custom', path: ['token'], message: 'a bot token of Slack begins with `xoxb-`' })
  for (const field of sent.kind === 's3' ? (['access_key_id', 'secret_access_key'] as const) : [])
    if (sent[field] == null) context.addIssue({ code: 'custom', path: [field], message: 'is required for a source of kind `s3`' })
  for (const [field, kinds] of Object.entries(KNOWN)) {
    const value = sent[field as keyof typeof sent]
    const isNamed = Array.isArray(value) ? value.length > 0 : field === 'content' ? value === 'feed' : value != null
    if (isNamed && !kinds.includes(sent.kind))
      context.addIssue({ code: 'custom', path: [field], message: `is not for a source of kind \`${sent.kind}\`` })
  }
})

/** The token of `github`, `notion` and `slack`, or both parts of the key of `s3`. */
export const credentialSchema = exact({
  token: token.nullish(),
  access_key_id: keyPart.nullish(),
  secret_access_key: keyPart.nullish(),
}).superRefine(({ token, access_key_id, secret_access_key }, context) => {
  const isKey = access_key_id != null && secret_access_key != null
  if ((token != null) !== isKey && (token == null || (access_key_id == null && secret_access_key == null))) return
  context.addIssue({ code: 'custom', path: ['token'], message: 'give either this, or `access_key_id` and `secret_access_key`' })
})

const counts = z.object({
  known: z.int().describe('Items that are or were listed.'),
  waiting: z.int().describe('Items not fetched yet.'),
  failing: z.int(),
  gone: z.int(),
})

const REPOSITORY = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+?(\.git)?\/?$/
export const isRepository = (url: string): boolean => REPOSITORY.test(url)

export const source = z.object({
  source: z.string(),
  kind: z.enum(SOURCE_KINDS),
  url: z.string(),
  document: z.string().nullable().describe('Null for a source with many documents.'),
  every: z.string(),
  on_gone: z.enum(['keep', 'delete']),
  gone_after: z.int(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  max_items: z.int(),
  content: z.enum(['linked', 'feed']),
  ref: z.string().nullable(),
  region: z.string().nullable(),
  credential: z
    .enum(['set', 'missing'])
    .nullable()
    .describe('Null: it needs none. `missing`: it was restored from a backup and stays silent until `:rotate` gives it one.'),
  metadata: z.record(z.string(), z.unknown()),
  access: z.array(z.string()).describe('Labels given to the documents it brings.'),
  status: z
    .enum(['new', 'ok', 'waiting', 'failing', 'gone', 'removing'])
    .describe(
      '`waiting`: its site has asked for a pause, until `next_fetch_at`. `failing`: the last check failed; the documents are kept. `gone`: the page was missing too often. `removing`: its documents are being deleted, then the source.',
    ),
  failures: z.int().describe('Failures in a row.'),
  last_result: z
    .string()
    .nullable()
    .describe('`changed`, `unchanged`, `listed`, or what went wrong: `http_404`, `robots`, `timeout`, `over_budget`, …'),
  items: counts.nullable().describe('For a source with many documents; null for a page.'),
  seen_at: z.string().nullable(),
  changed_at: z.string().nullable(),
  next_fetch_at: z.string().nullable(),
  created_at: z.string(),
})

export const sourceItem = z.object({
  item: z.string().describe('Its address, or its name in the listing.'),
  document: z.string(),
  status: z
    .enum(['waiting', 'ok', 'failing', 'missing', 'gone'])
    .describe('`missing`: not there, but not often enough to count as `gone`.'),
  failures: z.int(),
  last_result: z.string().nullable(),
  seen_at: z.string().nullable(),
  next_fetch_at: z.string().nullable(),
})

export type SourceItem = Immutable<z.output<typeof sourceItem>>
export type NewSource = Immutable<z.input<typeof sourceSchema>>
export type SourceCredential = Immutable<z.input<typeof credentialSchema>>
export type Source = Immutable<z.output<typeof source>>
