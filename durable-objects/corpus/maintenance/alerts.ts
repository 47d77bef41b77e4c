/**
 * Alerts: states of the corpus that its endpoints are notified of when they begin and end, by the events `alert.raised` and
 * `alert.cleared`. The current state of a condition is checked, so it is announced once until it clears, whatever is repeated. Without
 * rules nothing is checked.
 */
import type { AlertRules, Condition } from '../../../src/contract/alerts'
import { partitionsOf } from '../../../src/corpus-uid'
import type { AlertState, RaisedAlert } from '../../../src/ports/seeing'
import { budgetShare } from '../billing/usage'
import { invisibleSince } from '../outbox/index-sink'
import type { CorpusContext } from '../store'
import { hasNewDelivery } from '../tables/delivery'
import { readLastFinishedStatus } from '../tables/job'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { countErrors } from '../tables/revision'
import { hasFailingSource } from '../tables/source'
import { announce, countWanting } from '../webhooks/announce'

const NO_RULES: AlertRules = { conditions: [], source_failures: 3, index_lag_seconds: 900 }

/** Records what has begun or ended since the last check. True: somebody must be notified. */
export function checkAlerts(context: CorpusContext): boolean {
  const { sql, now } = context
  const rules = readMeta(sql, metaKeys.alertRules)
  const before = readMeta(sql, metaKeys.raisedAlerts) ?? []
  if (!rules || (rules.conditions.length === 0 && before.length === 0)) return false
  const holding = new Set(rules.conditions.filter((one) => holds(context, one, rules)))
  const begun = [...holding].filter((one) => !before.some(({ condition }) => condition === one))
  const ended = before.filter(({ condition }) => !holding.has(condition))
  if (begun.length === 0 && ended.length === 0) return false
  const at = now()
  return context.atomically(() => {
    const kept = before.filter(({ condition }) => holding.has(condition))
    writeMeta(sql, metaKeys.raisedAlerts, [...kept, ...begun.map((condition): RaisedAlert => ({ condition, since: at }))])
    announce(sql, at, [
      ...begun.map((condition) => ({ type: 'alert.raised' as const, data: { condition } })),
      ...ended.map(({ condition, since }) => ({
        type: 'alert.cleared' as const,
        data: { condition, since: new Date(since).toISOString() },
      })),
    ])
    return hasNewDelivery(sql)
  })
}

export function alertState({ sql }: Pick<CorpusContext, 'sql'>): AlertState {
  return { rules: readMeta(sql, metaKeys.alertRules) ?? NO_RULES, raised: readMeta(sql, metaKeys.raisedAlerts) ?? [] }
}

/** Lets the creator of an endpoint test it: does an event arrive? */
export function testAlert({ sql, now, atomically }: CorpusContext): number {
  return atomically(() => {
    announce(sql, now(), [{ type: 'alert.test', data: { condition: 'test' } }])
    return countWanting(sql, 'alert.test')
  })
}

/** For a corpus in partitions also in any of them. */
function holds(context: CorpusContext, condition: Condition, rules: AlertRules): boolean {
  if ((readMeta(context.sql, metaKeys.partitionAlerts) ?? []).some(([, raised]) => raised === condition)) return true
  return holdsHere(context, condition, rules)
}

function holdsHere(context: CorpusContext, condition: Condition, { source_failures, index_lag_seconds }: AlertRules): boolean {
  const { sql, now, config } = context
  switch (condition) {
    case 'budget_80':
      return budgetShare(context) >= 0.8
    case 'budget_100':
      return budgetShare(context) >= 1
    case 'job_failed':
      return partitionsOf(config.uid) === 1 && readLastFinishedStatus(sql) === 'failed' // jobs of partitions that were left are in the whole's object
    case 'quarantine':
      return countErrors(sql, 1).length > 0
    case 'source_failing':
      return hasFailingSource(sql, source_failures)
    case 'index_lag': {
      const since = invisibleSince(context)
      return since !== null && now() - since >= index_lag_seconds * 1000
    }
  }
}
