/** `loam changes`: what new versions of documents changed. Plain: when it was replaced, document, in which of its versions, what it said, what it says now. */
import type { Change } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields, type Output } from '../output'
import { wholeNumber } from '../question'

const LIMIT = 100 // by default
const PAGE = 100 // changes asked for at a time

export const changes = command(
  {
    usage: 'changes [document]',
    summary: 'show what new versions of documents changed, latest first: what statements said, and what they say now',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      ...asker,
      since: text('only changes since this time'),
      limit: text(`at most this many (${LIMIT})`),
    },
    examples: ['loam changes prices.md', 'loam changes --since 2026-11-01'],
  },
  async ({ values: { since, limit, ...values }, positionals: [document], out, env }) => {
    const held = await findCorpus(connect({ values, env }))
    const max = limit ? wholeNumber('limit', limit, 1) : LIMIT
    if (since !== undefined && Number.isNaN(Date.parse(since))) throw misuse('--since: expected a time such as 2026-11-21T09:00:00Z')
    const where = { ...(document === undefined ? {} : { document }), ...(since === undefined ? {} : { since }) }
    const found: Change[] = []
    let days = 0
    for (let cursor: string | null | undefined; cursor !== null && found.length < max; ) {
      const page = await held.changes({ ...where, cursor, limit: Math.min(PAGE, max - found.length) })
      found.push(...page.data)
      cursor = page.next_cursor
      days = page.days
    }
    if (days === 0) out.note('This corpus does not keep what older versions said: `settings.earlier.days` is 0 (docs/time.md).')
    out.result(found, {
      people: (all) => all.map((one) => describe(one, out)).join('\n\n') || (days === 0 ? '' : 'No statement was changed.'),
      plain: (all) => all.map(line).join('\n'),
    })
  },
)

function describe({ document, title, active, replaced_at, earlier, current }: Change, out: Output): string {
  const name = title && title !== document ? `${field(title)} (${field(document)})` : field(document)
  const head = `${replaced_at.slice(0, 10)}  ${name}${active ? '' : ', switched off'}`
  return `${out.style('dim', head)}\n  was  ${field(earlier.quote)}\n  now  ${field(current.quote)}`
}

const line = ({ replaced_at, document, replaced_in, earlier, current }: Change): string =>
  fields(replaced_at, document, replaced_in, earlier.quote, current.quote)
