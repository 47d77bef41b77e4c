/** `loam budget`: shows, sets or removes what a corpus may spend on models in total. Plain: what, spent, reserved, limit (empty: none). */
import type { CorpusUsage } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields } from '../output'
import { wholeNumber } from '../question'

export const budget = command(
  {
    usage: 'budget [set | none]',
    verbs: ['set', 'none'],
    summary: 'limit what a corpus spends on models; show what is left',
    maxWords: 1,
    options: { ...service, ...corpus, usd: text('dollars it may spend in all'), tokens: text('tokens it may use in all') },
    examples: ['loam budget', 'loam budget set --usd 5', 'loam budget set --tokens 2000000', 'loam budget none'],
  },
  async ({ values, positionals: [action = 'show'], out, env }) => {
    if (!['show', 'set', 'none'].includes(action)) throw misuse(`"${action}": expected set, none or nothing`)
    const { usd, tokens } = values
    const isNamed = usd !== undefined || tokens !== undefined
    if ((action === 'set') !== isNamed)
      throw misuse(isNamed ? 'did you mean loam budget set --usd …?' : 'how much? --usd 5, --tokens 2000000, or both')
    const spender = await findCorpus(connect({ values, env }))
    if (action === 'none') await spender.create({ budget: null })
    if (action === 'set') {
      const limits = {
        ...(usd === undefined ? {} : { usd: dollars(usd) }),
        ...(tokens === undefined ? {} : { tokens: wholeNumber('tokens', tokens, 0) }),
      }
      await spender.create({ budget: limits })
    }
    const now = await spender.usage()
    out.result(
      { corpus: spender.name, budget: now.budget, total: now.total, held: now.held },
      {
        people: (one) => `${spender.name}: ${rowsOf(one).map(formatRow).join('; ')}`,
        plain: (one) =>
          rowsOf(one)
            .map((row) => fields(...row))
            .join('\n'),
      },
    )
  },
)

type Row = readonly [what: string, spent: string, held: string, limit: string]

function rowsOf({ budget: limits, total, held }: Pick<CorpusUsage, 'budget' | 'total' | 'held'>): readonly Row[] {
  return [
    ['usd', total.usd.toFixed(6), held.usd.toFixed(6), limits.usd === undefined ? '' : String(limits.usd)],
    [
      'tokens',
      String(total.in + total.out + total.embedded),
      String(held.tokens),
      limits.tokens === undefined ? '' : String(limits.tokens),
    ],
  ]
}

function formatRow([what, spent, held, limit]: Row): string {
  const of = (amount: string): string => (what === 'usd' ? `$${amount}` : `${Number(amount).toLocaleString('en')} tokens`)
  const reserved = Number(held) > 0 ? `, ${of(held)} reserved for calls in progress` : ''
  return `${of(spent)} spent${reserved}, ${limit === '' ? 'no limit' : `of ${of(limit)}`}`
}

function dollars(given: string): number {
  const amount = Number(given)
  if (given.trim() === '' || !(amount >= 0)) throw misuse(`--usd ${given}: expected a number of dollars, 0 or more`)
  return amount
}
