/** `loam alerts`: which states of a corpus its endpoints are notified of, and which hold now. Plain: condition, since when it holds or `clear`. */
import type { Alerts } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many } from '../output'

const CONDITIONS = ['budget_80', 'budget_100', 'job_failed', 'quarantine', 'source_failing', 'index_lag'] as const

export const alerts = command(
  {
    usage: 'alerts [set <condition,…|none> | test]',
    verbs: ['set', 'test'],
    summary: 'choose the states that endpoints are notified of, and show which hold now',
    details: `Conditions: ${CONDITIONS.join(', ')}.`,
    maxWords: 2,
    options: {
      ...service,
      ...corpus,
      failures: text('failed checks of a source in a row (3)'),
      lag: text('seconds the index may be behind (900)'),
    },
    examples: ['loam alerts set budget_80,job_failed', 'loam alerts test'],
  },
  async ({ values, positionals: [action = 'list', list], out, env }) => {
    const { alerts: rules } = await findCorpus(connect({ values, env }))
    const show = (all: Alerts): void =>
      out.result(all, { people: (one) => linesOf(one) || 'No alerts are set; `loam alerts set job_failed` sets one.', plain: linesOf })
    if (action === 'list') return show(await rules.get())
    if (action === 'test') {
      return out.result(await rules.test(), {
        people: ({ deliveries }) =>
          deliveries === 0 ? 'Nothing was sent: no endpoint wants `alert.test`.' : `Sent to ${many(deliveries, 'endpoint')}.`,
        plain: ({ deliveries }) => String(deliveries),
      })
    }
    if (action !== 'set' || !list) throw misuse('expected set <condition,…>, set none, test or nothing')
    const words = list === 'none' ? [] : list.split(',')
    const conditions = words.map((word) => {
      const known = CONDITIONS.find((one) => one === word)
      if (!known) throw misuse(`"${word}": expected any of ${CONDITIONS.join(', ')}`)
      return known
    })
    show(
      await rules.put({
        conditions,
        ...(values.failures === undefined ? {} : { source_failures: Number(values.failures) }),
        ...(values.lag === undefined ? {} : { index_lag_seconds: Number(values.lag) }),
      }),
    )
  },
)

function linesOf({ conditions, raised }: Alerts): string {
  return conditions.map((one) => fields(one, raised.find(({ condition }) => condition === one)?.since ?? 'clear')).join('\n')
}
