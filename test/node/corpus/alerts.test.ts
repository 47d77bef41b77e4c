/** Alerts: told once when a state begins and once when it ends, to endpoints that want it, and nothing without rules. */
import { afterEach, expect, it } from 'vitest'
import { chargeStages } from '../../../durable-objects/corpus/billing/usage-recorder'
import { alertState, checkAlerts, testAlert } from '../../../durable-objects/corpus/maintenance/alerts'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { insertEndpoint } from '../../../durable-objects/corpus/tables/endpoint'
import { insertJob, readJobById, updateJob } from '../../../durable-objects/corpus/tables/job'
import { metaKeys, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { CONDITIONS, type Condition } from '../../../src/contract/alerts'
import { mortalWorld, type World } from './mortal-object'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function corpus(conditions: readonly Condition[]): CorpusContext {
  const world = mortalWorld([])
  worlds.push(world)
  const { context } = world.wake()
  insertEndpoint(context.sql, { id: 'ep_1', url: 'https://x.test/', events: [], secrets: [], status: 'active', created: 0, asker: 'all' })
  writeMeta(context.sql, metaKeys.alertRules, { conditions: [...conditions], source_failures: 3, index_lag_seconds: 900 })
  return context
}

const told = ({ sql }: CorpusContext): unknown[] =>
  sql.all<{ body: string }>(`SELECT body FROM delivery WHERE type LIKE 'alert.%' ORDER BY n`).map(({ body }) => {
    const { type, data } = JSON.parse(body)
    return `${type} ${data.condition}`
  })

function ended(context: CorpusContext, id: string, status: 'failed' | 'succeeded'): void {
  insertJob(context.sql, { id, kind: 'ingest', created: 0, upto: 0, deletes: '[]', tally: '{}' })
  const row = readJobById(context.sql, id)
  if (row) updateJob(context.sql, { ...row, status, phase: 'done' })
}

it('[V807] a state is told once when it begins and once when it ends, however often it is looked at', () => {
  const context = corpus(['job_failed'])
  expect([checkAlerts(context), told(context)]).toEqual([false, []])
  ended(context, 'j_1', 'failed')
  expect([checkAlerts(context), checkAlerts(context)]).toEqual([true, false])
  ended(context, 'j_2', 'failed')
  checkAlerts(context)
  expect([told(context), alertState(context).raised.map(({ condition }) => condition)]).toEqual([
    ['alert.raised job_failed'],
    ['job_failed'],
  ])
  ended(context, 'j_3', 'succeeded')
  checkAlerts(context)
  expect([told(context), alertState(context).raised]).toEqual([['alert.raised job_failed', 'alert.cleared job_failed'], []])
})

it('[V807] of the budget at 80 and at 100 per cent, until it is raised', () => {
  const plain = corpus(['budget_80', 'budget_100'])
  const context = (tokens: number): CorpusContext => ({ ...plain, config: { ...plain.config, budget: { tokens } } })
  const spend = (tokens: number): void => chargeStages(context(100), { answer: { in: tokens, out: 0, embedded: 0, calls: 1 } })
  spend(79)
  expect(checkAlerts(context(100))).toBe(false)
  spend(1)
  checkAlerts(context(100))
  expect(told(plain)).toEqual(['alert.raised budget_80'])
  spend(20)
  checkAlerts(context(100))
  checkAlerts(context(1000))
  expect(told(plain)).toEqual(['alert.raised budget_80', 'alert.raised budget_100', 'alert.cleared budget_80', 'alert.cleared budget_100'])
})

it('[V808] without rules nothing is told; conditions that are taken out of the rules clear', () => {
  const context = corpus([])
  ended(context, 'j_1', 'failed')
  expect([checkAlerts(context), told(context)]).toEqual([false, []])
  writeMeta(context.sql, metaKeys.alertRules, { conditions: [...CONDITIONS], source_failures: 3, index_lag_seconds: 900 })
  checkAlerts(context)
  writeMeta(context.sql, metaKeys.alertRules, { conditions: [], source_failures: 3, index_lag_seconds: 900 })
  checkAlerts(context)
  expect(told(context)).toEqual(['alert.raised job_failed', 'alert.cleared job_failed'])
})

it('[V808] a test goes to the endpoints that want it', () => {
  const context = corpus([])
  expect([testAlert(context), told(context)]).toEqual([1, ['alert.test test']])
})
