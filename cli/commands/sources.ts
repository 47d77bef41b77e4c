/**
 * `loam sources`: what is kept as documents and checked on a schedule. Plain: id, status, how often, address, document, last result; of items: address,
 * status, document, last result.
 */
import { readFileSync } from 'node:fs'
import type { NewSource, Source, SourceCredential, SourceItem } from '../../src/client/client'
import { SOURCE_KINDS } from '../../src/contract/source-kinds'
import { command, text } from '../command'
import { all, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, type Output } from '../output'
import { table } from '../table'

const ITEM_STATUSES = ['waiting', 'ok', 'failing', 'missing', 'gone'] as const

export const sources = command(
  {
    usage: 'sources [add <url> | items <id> | fetch <id> | rotate <id> | remove <id>]',
    verbs: ['add', 'items', 'fetch', 'rotate', 'remove'],
    summary: 'keep pages, sitemaps, feeds, repositories, workspaces and buckets as documents: list, add, fetch now, renew a token, remove',
    maxWords: 2,
    options: {
      ...service,
      ...corpus,
      kind: text('what the address is: page (default), sitemap, feed, github, notion, slack, r2 or s3', { choices: SOURCE_KINDS }),
      include: text('only these paths (/docs/**); may be repeated', { multiple: true }),
      exclude: text('not these paths; may be repeated', { multiple: true }),
      max: text('at most this many documents (1000)'),
      ref: text('for a repository, the branch, tag or commit (the default branch)'),
      token: text(
        'a file with the token of a private repository, the secret of a Notion integration, or a Slack bot token; with rotate, the new one',
      ),
      'key-file': text('for s3, a JSON file with access_key_id and secret_access_key; with rotate, the new ones'),
      region: text('for s3, its region (from its host name)'),
      content: text('for a feed: linked (the page an item links to, default) or feed (the content of the feed itself)', {
        choices: ['linked', 'feed'],
      }),
      'gone-after': text('how many checks in a row must miss a page before it counts as gone (2; an object: 1)'),
      documents: text('with remove, what happens to its documents: keep (default) or delete', { choices: ['keep', 'delete'] }),
      status: text('with items, only those', { choices: ITEM_STATUSES }),
      every: text('how often to check it: 15m to 30d (1d)'),
      document: text('the id of its document (the address)'),
      'on-gone': text('what happens to the document when the page is gone: keep (default; an object: delete) or delete', {
        choices: ['keep', 'delete'],
      }),
      access: text('labels for its documents, separated by commas'),
    },
    examples: [
      'loam sources add https://example.org/news --every 1h',
      "loam sources add https://example.org/sitemap.xml --kind sitemap --include '/docs/**'",
      'loam sources add https://github.com/owner/name --kind github --token token.txt --every 15m',
      'loam sources add https://www.notion.so --kind notion --token secret.txt --every 1h',
      'loam sources add https://slack.com/archives/C0123456789 --kind slack --token bot.txt',
      'loam sources add r2://papers/reports/ --kind r2',
      'loam sources items src_1 --status failing',
    ],
  },
  async ({ values, positionals: [action = 'list', what], out, env }) => {
    const { sources: followed } = await findCorpus(connect({ values, env }))
    if (action === 'list')
      return out.result(await all((paging) => followed.list(paging)), {
        people: (rows) => (rows.length === 0 ? 'No sources; `loam sources add <url>` follows a page.' : formatTable(rows, out)),
        plain: (rows) => rows.map(formatPlain).join('\n'),
      })
    if (!['add', 'items', 'fetch', 'rotate', 'remove'].includes(action))
      throw misuse(`"${action}": expected add, items, fetch, rotate, remove or nothing`)
    if (!what) throw misuse(`which ${action === 'add' ? 'page? loam sources add <url>' : `source? loam sources ${action} <id>`}`)
    if (action === 'items') {
      const status = ITEM_STATUSES.find((one) => one === values.status)
      return out.result(await all((paging) => followed.items(what, { ...paging, ...(status ? { status } : {}) })), {
        people: (rows) => (rows.length === 0 ? 'Nothing.' : formatItems(rows, out)),
        plain: (rows) => rows.map(formatItem).join('\n'),
      })
    }
    if (action === 'remove') {
      const documents = values.documents === 'delete' ? 'delete' : 'keep'
      const removing = await followed.remove(what, { documents })
      const status = removing ? 'removing' : 'removed'
      const fate = documents === 'keep' ? 'its documents stay' : removing ? 'its documents are being deleted' : 'its document is deleted'
      return out.result(
        { source: what, status },
        { people: () => `${what} is no longer followed; ${fate}`, plain: () => fields(what, status) },
      )
    }
    const shown =
      action === 'fetch'
        ? await followed.fetch(what)
        : action === 'rotate'
          ? await followed.rotate(what, credentialIn(values))
          : await followed.create(sourceOf(what, values))
    out.result(shown, { people: (one) => formatTable([one], out), plain: formatPlain })
  },
)

/** Secrets come from a file: a command line is kept in a history and visible to others. */
const secretIn = (file: string): string => readFileSync(file, 'utf8').trim()

function credentialIn({ token, 'key-file': file }: Pick<Given, 'token' | 'key-file'>): SourceCredential {
  if (token !== undefined) return { token: secretIn(token) }
  if (file === undefined) throw misuse('--token or --key-file: a file that holds it')
  const { access_key_id, secret_access_key } = JSON.parse(secretIn(file)) as SourceCredential
  return { access_key_id, secret_access_key }
}

interface Given {
  readonly token?: string | undefined
  readonly 'key-file'?: string | undefined
  readonly region?: string | undefined
  readonly kind?: string | undefined
  readonly every?: string | undefined
  readonly document?: string | undefined
  readonly 'on-gone'?: string | undefined
  readonly 'gone-after'?: string | undefined
  readonly access?: string | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly max?: string | undefined
  readonly content?: string | undefined
  readonly ref?: string | undefined
}

function sourceOf(url: string, given: Given): NewSource {
  const { every = '1d', document, access, include, exclude, max, 'on-gone': onGone, 'gone-after': goneAfter } = given
  const kind = SOURCE_KINDS.find((one) => one === given.kind)
  return {
    ...(kind ? { kind } : {}),
    url,
    every,
    ...(document === undefined ? {} : { document }),
    ...(onGone === undefined ? {} : { on_gone: onGone === 'delete' ? 'delete' : 'keep' }),
    ...(goneAfter === undefined ? {} : { gone_after: Number(goneAfter) }),
    ...(include ? { include } : {}),
    ...(exclude ? { exclude } : {}),
    ...(max === undefined ? {} : { max_items: Number(max) }),
    ...(given.token === undefined && given['key-file'] === undefined ? {} : credentialIn(given)),
    ...(given.region === undefined ? {} : { region: given.region }),
    ...(given.ref === undefined ? {} : { ref: given.ref }),
    ...(given.content === undefined ? {} : { content: given.content === 'feed' ? 'feed' : 'linked' }),
    ...(access === undefined ? {} : { access: access.split(',').map((label) => label.trim()) }),
  }
}

const formatPlain = ({ source, status, every, url, document, last_result: last }: Source): string =>
  fields(source, status, every, url, document, last)

const formatTable = (rows: readonly Source[], out: Output): string =>
  table(
    ['source', 'status', 'every', 'last', 'seen', 'page'],
    rows.map((one) => [one.source, one.status, one.every, one.last_result, one.seen_at?.slice(0, 16).replace('T', ' '), one.url]),
    out,
  )

const formatItem = ({ item, status, document, last_result: last }: SourceItem): string => fields(item, status, document, last)

const formatItems = (rows: readonly SourceItem[], out: Output): string =>
  table(
    ['status', 'last', 'seen', 'item'],
    rows.map((one) => [one.status, one.last_result, one.seen_at?.slice(0, 16).replace('T', ' '), one.item]),
    out,
  )
