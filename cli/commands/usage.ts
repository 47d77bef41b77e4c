/** `loam usage`: what a corpus has cost, by stage and by document. Plain: `total`, `stage` or `document`, its name, calls, in, out, embedded, dollars. */
import type { Amounts, CorpusUsage } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus, list } from '../connect'
import { showCosts } from '../costs'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, type Output } from '../output'
import { table } from '../table'

export const usage = command(
  {
    usage: 'usage [corpus]',
    summary:
      'show what a corpus has cost, by stage; --documents: by document as well; --by key,day: when and by whom it was spent, in all corpora or this one',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      documents: flag('list each document that cost something'),
      by: text('any of corpus, key, day and stage, separated by commas'),
      since: text('with --by: from this day (UTC; 30 days ago)'),
      until: text('with --by: up to this day (today)'),
      csv: flag('with --by: comma-separated values'),
    },
    examples: [
      'loam usage birds',
      'loam usage --by key,day --since 2026-11-01 --csv > november.csv',
      'loam usage birds --documents | sort -t "$(printf \'\\t\')" -k7 -n -r | head',
    ],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    if (values.by !== undefined) return showCosts({ connection, corpus: named ?? values.corpus, values: { ...values, by: values.by }, out })
    if (values.since ?? values.until ?? values.csv) throw misuse('--since, --until and --csv need --by')
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
        people: () => `${formatTable(rows, out)}\n${formatBudget(whole)}${formatKept(whole)}`,
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
  const aside = held.usd > 0 ? `, $${held.usd.toFixed(6)} reserved for calls in progress` : ''
  return `Budget: ${limits.join(' and ') || 'none'}${aside}. Prices of ${prices.date}.`
}

/** Nothing if kept answers were never used. A service of an earlier release does not count misses. */
function formatKept({ answers }: CorpusUsage): string {
  const { hits = 0, misses = 0, saved }: Partial<CorpusUsage['answers']> = answers ?? {}
  if (hits + misses === 0 || !saved) return ''
  return `\nKept answers: ${hits} hits, ${misses} misses; saved ${saved.in + saved.out + saved.embedded} tokens, $${saved.usd.toFixed(6)}.`
}
