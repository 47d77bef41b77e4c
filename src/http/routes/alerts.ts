/** Alerts: which states of a corpus its endpoints are notified of, which hold now, and a test of the notification. */
import { alertRulesSchema, alerts, alertTest } from '../../contract/alerts'
import type { AlertState, SeeingObject } from '../../ports/seeing'
import { callAs } from '../acting'
import { actorOf, type Ctx } from '../context'
import { isoTime } from '../iso-time'
import { route } from '../route'

const base = '/v1/corpora/{corpus}/alerts'
const example = { conditions: ['budget_80', 'job_failed'] as const, source_failures: 3, index_lag_seconds: 900 }

export const alertRoutes = [
  route({
    method: 'get',
    path: base,
    id: 'getAlerts',
    tag: 'events',
    summary: 'Get the alert rules, and which alerts are raised',
    access: ['write'],
    answers: { 200: { description: 'The rules, and what is raised.', schema: alerts, example: { ...example, raised: [] } } },
  }).answer(async (c) => ({ status: 200, body: view(await objectOf(c).alerts()) })),
  route({
    method: 'put',
    path: base,
    id: 'putAlerts',
    tag: 'events',
    summary: 'Change the alert rules',
    description:
      'Endpoints subscribed to `alert.raised` and `alert.cleared` are sent each alert once when it begins and once when it ends, signed and with retries like any event.',
    access: ['write'],
    body: { schema: alertRulesSchema, example },
    answers: { 200: { description: 'The rules are in effect. Conditions that already hold are raised.', schema: alerts } },
    repeatable: true,
  }).answer(async (c, rules) => ({
    status: 200,
    body: view(await objectOf(c).putAlerts({ ...rules, conditions: [...new Set(rules.conditions)] })),
  })),
  route({
    method: 'post',
    path: `${base}:test`,
    id: 'testAlerts',
    tag: 'events',
    summary: 'Send a test alert to the subscribed endpoints',
    access: ['write'],
    answers: { 202: { description: 'The alerts are being sent.', schema: alertTest } },
    repeatable: true,
  }).answer(async (c) => ({ status: 202, body: { deliveries: await objectOf(c).testAlert() } })),
]

const objectOf = (c: Ctx): SeeingObject => callAs(c.get('world').seeing(c.get('corpus').uid), actorOf(c))

function view({ rules, raised }: AlertState) {
  return { ...rules, raised: raised.map(({ condition, since }) => ({ condition, since: isoTime(since) })) }
}
