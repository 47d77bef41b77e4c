/** What is reported for monitoring the corpus, and what it keeps for that. */
import type { SeeingObject } from '../../../src/ports/seeing'
import { withAuditEntry } from '../audit/log'
import { costs } from '../billing/days'
import type { CorpusHost } from '../host'
import { alertState, testAlert } from '../maintenance/alerts'
import { figures } from '../maintenance/figures'
import { enterQuestion, logged, rate } from '../query-log/log'
import { metaKeys, writeMeta } from '../tables/meta'
import { deleteAllLogged, deleteLogged, findLogged, listPoor } from '../tables/question-log'

export function seeingCalls(host: CorpusHost): SeeingObject {
  return {
    async figures() {
      if (host.isRestoring) return null
      const context = host.served()
      return context ? figures(context) : null
    },

    async costs(range) {
      return costs(host.ready(), range)
    },

    async noteQuestion(entry, { key, door }) {
      const context = host.served()
      if (!context) return
      context.atomically(() => enterQuestion(context, entry, key, door))
      await host.alarm.set()
    },

    async questions(filter) {
      return logged(host.ready(), filter)
    },

    async poorQuestions(since, limit) {
      return listPoor(host.ready().sql, since, limit)
    },

    async rateQuestion(id, feedback, key) {
      const context = host.ready()
      return context.atomically(() => rate(context, id, feedback, key))
    },

    async alerts() {
      return alertState(host.ready())
    },

    async putAlerts(rules, by) {
      const { sql } = host.ready()
      withAuditEntry(host.store, by, 'alerts.put', {}, () => {
        writeMeta(sql, metaKeys.alertRules, rules)
        return true
      })
      await host.changed()
      return alertState(host.ready())
    },

    async testAlert(by) {
      const told = withAuditEntry(host.store, by, 'alerts.test', {}, () => testAlert(host.ready()))
      return host.afterChange(told)
    },

    async forgetQuestion(id, by) {
      const { sql } = host.ready()
      return withAuditEntry(host.store, by, 'question.forget', id === null ? {} : { subject: id }, () => {
        if (id === null) deleteAllLogged(sql)
        else if (!findLogged(sql, id)) return false
        else deleteLogged(sql, id)
        return true
      })
    },
  }
}
