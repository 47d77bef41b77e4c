/** Which states of a corpus its endpoints are notified of. */
import type { CallCorpus } from './operations'
import type { Alerts, AlertTest, NewAlertRules } from './types'

export interface AlertsClient {
  get(): Promise<Alerts>
  put(rules: NewAlertRules): Promise<Alerts>
  /** An event `alert.test` to the endpoints that want it. */
  test(): Promise<AlertTest>
}

export function alertsOf(call: CallCorpus): AlertsClient {
  return {
    get: () => call('getAlerts'),
    put: (rules) => call('putAlerts', { body: rules }),
    test: () => call('testAlerts'),
  }
}
