/** `loam sources`: pages of the web, each kept as a document and looked at by schedule. Plain: id, status, how often, address, document, last result. */
import type { NewSource, Source } from '../../src/client/client'
import { command, text } from '../command'
import { all, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, type Output } from '../output'
import { table } from '../table'

export const sources = command(
  {
    usage: 'sources [add <url> | fetch <id> | remove <id>]',
    verbs: ['add', 'fetch', 'remove'],
    summary: 'pages of the web that are kept as documents: listed, added, looked at now, no longer followed',
    maxWords: 2,
    options: {
      ...service,
      ...corpus,
      every: text('how often it is looked at: 15m to 30d (1d)'),
      document: text('the id of its document (the address)'),
      'on-gone': text('what becomes of the document when the page is gone: keep (default) or delete', { choices: ['keep', 'delete'] }),
      access: text('labels, parted by commas, that its document is given'),
    },
    examples: ['loam sources add https://example.org/news --every 1h', 'loam sources'],
  },
  async ({ values, positionals: [action = 'list', what], out, env }) => {
    const { sources: followed } = await findCorpus(connect({ values, env }))
    if (action === 'list')
      return out.result(await all((paging) => followed.list(paging)), {
        people: (rows) => (rows.length === 0 ? 'No sources; `loam sources add <url>` follows a page.' : formatTable(rows, out)),
        plain: (rows) => rows.map(formatPlain).join('\n'),
      })
    if (!['add', 'fetch', 'remove'].includes(action)) throw misuse(`"${action}": say add, fetch, remove or nothing`)
    if (!what) throw misuse(`which ${action === 'add' ? 'page? loam sources add <url>' : `source? loam sources ${action} <id>`}`)
    if (action === 'remove') {
      await followed.remove(what)
      return out.result(
        { source: what, status: 'removed' },
        { people: () => `${what} is not followed any more; its document stays`, plain: () => fields(what, 'removed') },
      )
    }
    const shown = action === 'fetch' ? await followed.fetch(what) : await followed.create(sourceOf(what, values))
    out.result(shown, { people: (one) => formatTable([one], out), plain: formatPlain })
  },
)

interface Given {
  readonly every?: string | undefined
  readonly document?: string | undefined
  readonly 'on-gone'?: string | undefined
  readonly access?: string | undefined
}

const sourceOf = (url: string, { every = '1d', document, 'on-gone': onGone, access }: Given): NewSource => ({
  url,
  every,
  ...(document === undefined ? {} : { document }),
  ...(onGone === undefined ? {} : { on_gone: onGone === 'delete' ? 'delete' : 'keep' }),
  ...(access === undefined ? {} : { access: access.split(',').map((label) => label.trim()) }),
})

const formatPlain = ({ source, status, every, url, document, last_result: last }: Source): string =>
  fields(source, status, every, url, document, last)

const formatTable = (rows: readonly Source[], out: Output): string =>
  table(
    ['source', 'status', 'every', 'last', 'seen', 'page'],
    rows.map((one) => [one.source, one.status, one.every, one.last_result, one.seen_at?.slice(0, 16).replace('T', ' '), one.url]),
    out,
  )
