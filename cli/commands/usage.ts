/** `loam usage`: what a corpus has cost, by stage and by document. Plain: `total`, `stage` or `document`, its name, calls, in, out, embedded, dollars. */
import type { Amounts, CorpusUsage } from '../../src/client/client'
import { command, flag } from '../command'
import { connect, findCorpus, list } from '../connect'
import { corpus, service } from '../options'
import { fields, type Output } from '../output'
import { table } from '../table'

export const usage = command(
  {
    usage: 'usage [corpus]',
    summary: 'what a corpus has cost, by stage; --documents: by document, too',
    maxWords: 1,
    options: { ...service, ...corpus, documents: flag('each document that cost something') },
    examples: ['loam usage birds', 'loam usage birds --documents | sort -t "$(printf \'\\t\')" -k7 -n -r | head'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const spender = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    const whole = await spender.usage()
    const documents: CorpusUsage['data'][number][] = []
    if (values.documents) for await (const one of list((paging) => spender.usage(paging))) documents.push(one)
    const rows: readonly Line[] = [
      ['total', spender.name, whole.total],
      ...Object.entries(whole.stages).map(([stage, spent]): Line => ['stage', stage, spent]),
      ...documents.map((one): Line => ['document', one.document, one]),
    ]
    out.result(
      { ...whole, data: documents, next_cursor: null },
      {
        people: () => `${formatTable(rows, out)}\n${formatBudget(whole)}`,
        plain: () => rows.map(([of, name, one]) => fields(of, name, ...amountsOf(one))).join('\n'),
      },
    )
  },
)

type Line = readonly [of: 'total' | 'stage' | 'document', name: string, spent: Amounts]

const amountsOf = ({ calls, in: read, out, embedded, usd }: Amounts) => [calls, read, out, embedded, usd.toFixed(6)] as const

function formatTable(rows: readonly Line[], out: Output): string {
  const head = ['', 'calls', 'tokens in', 'tokens out', 'embedded', 'dollars']
  return table(
    head,
    rows.map(([of, name, one]) => [of === 'total' ? `${name}, all` : `  ${name}`, ...amountsOf(one)]),
    out,
  )
}

function formatBudget({ budget, held, prices }: CorpusUsage): string {
  const limits = [budget.usd === undefined ? '' : `$${budget.usd}`, budget.tokens === undefined ? '' : `${budget.tokens} tokens`].filter(
    Boolean,
  )
  const aside = held.usd > 0 ? `, $${held.usd.toFixed(6)} set aside for calls under way` : ''
  return `Budget: ${limits.join(' and ') || 'none'}${aside}. Prices of ${prices.date}.`
}
