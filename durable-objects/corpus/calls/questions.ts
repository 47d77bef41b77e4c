/** What a question needs, and what it costs. */
import { neighbourhood } from '../../../src/core/access/neighbourhood'
import type { CorpusObject } from '../../../src/ports/object'
import type { Held, Hold } from '../../../src/ports/spending'
import { questionsFirst } from '../../../src/question-precedence'
import { withAuditEntry } from '../audit/log'
import { isPartition } from '../billing/partition'
import { isCapped } from '../billing/usage'
import { chargeStages, countLapsed, reserveHolds, usageView } from '../billing/usage-recorder'
import { refuseClosed } from '../division/closed'
import type { CorpusHost } from '../host'
import { aroundAbove, summariesAboveAll } from '../query/above'
import { entityDetails } from '../query/entity'
import { forgetAnswers, keepAnswer, recallAnswer } from '../query/kept-answers'
import { links } from '../query/links'
import { givenGraphs, givenOutlines } from '../query/locations'
import { readPartition, showPartition } from '../query/partition'
import { isOfOther, retrieve } from '../query/retrieve'
import { dropFilter, putFilter, renameFilter, savedFilters } from '../query/saved-filters'
import { sightOf, visibleGraph, visibleRows } from '../query/visibility'
import { listLanguagesOf } from '../tables/spoken'
import { promoteTasksOfNodes } from '../tables/task'
import { hasNewMessages } from '../webhooks/message-queue'
import { reserveWithWhole } from './budget'

const MIN_VERSION_WAIT = 10_000 // ms

export function questionsCalls(
  host: CorpusHost,
): Pick<
  CorpusObject,
  | 'retrieve'
  | 'readPartition'
  | 'showPartition'
  | 'filters'
  | 'putFilter'
  | 'changeFilter'
  | 'keptAnswer'
  | 'seen'
  | 'links'
  | 'entity'
  | 'around'
  | 'above'
  | 'aroundAbove'
  | 'dataOf'
  | 'reserve'
  | 'charge'
  | 'usage'
> {
  return {
    async retrieve(request) {
      if (!host.served()) return { kind: 'gone' }
      if (host.store.lastQuestion) host.store.lastQuestion.at = Date.now()
      const until = Date.now() + MIN_VERSION_WAIT
      while (host.ready().graph.version < (request.minVersion ?? 0)) {
        if (Date.now() >= until) return { kind: 'behind', version: host.ready().graph.version }
        await host.nextChange(until - Date.now())
      }
      const end = questionsFirst.begin() // if the asking Worker runs elsewhere, this is all we know about it here
      const found = retrieve(host.ready(), request)
      end()
      const result = found.kind === 'evidence' || found.kind === 'wanted' ? { ...found, ...heldFor(host, request.hold) } : found
      if (result.kind === 'evidence')
        await promoteTexts(
          host,
          result.evidence.filter((one) => one.stale).map((one) => one.id),
        )
      return result
    },

    async readPartition(request) {
      if (!host.served()) return { kind: 'gone' }
      if (host.store.lastQuestion) host.store.lastQuestion.at = Date.now()
      const end = questionsFirst.begin()
      const read = readPartition(host.ready(), request)
      end()
      return read
    },

    async showPartition(request) {
      const shown = host.served() ? showPartition(host.ready(), request) : { evidence: [] }
      await promoteTexts(
        host,
        shown.evidence.filter((one) => one.stale).map((one) => one.id),
      )
      return shown
    },

    async filters(asker) {
      return savedFilters(host.ready(), asker)
    },

    async putFilter(name, filters, by) {
      return withAuditEntry(
        host.store,
        by,
        'filter.put',
        { subject: name, outcome: (saved) => (saved === 'too_many' ? saved : 'done') },
        () => {
          refuseClosed(host.store.sql)
          forgetAnswers(host.store)
          return putFilter(host.ready(), name, filters)
        },
      )
    },

    async changeFilter(name, to, by) {
      const [what, subject] = to === null ? (['filter.delete', name] as const) : (['filter.rename', `${name} → ${to}`] as const)
      return withAuditEntry(host.store, by, what, { subject, outcome: (done) => done }, () => {
        refuseClosed(host.store.sql)
        forgetAnswers(host.store)
        return to === null ? dropFilter(host.ready(), name) : renameFilter(host.ready(), { from: name, to })
      })
    },

    async keptAnswer(asked) {
      if (!host.served()) return null
      return 'result' in asked ? keepAnswer(host.ready(), asked) : recallAnswer(host.ready(), asked)
    },

    async seen(things, asker) {
      const context = host.ready()
      const seen = visibleRows(context, things, asker)
      if (!things.withOutlines) return seen
      const ids = Object.keys(seen.documents)
      const further = { outlines: givenOutlines(context, ids), graphs: givenGraphs(context, ids) }
      return { ...seen, ...further, languages: Object.fromEntries(listLanguagesOf(context.sql, ids)) }
    },

    async links(ids, limit, asker) {
      const context = host.ready()
      return links(visibleGraph(context, sightOf(context, asker)), ids, limit)
    },

    async entity(id, asker) {
      const context = host.served()
      return context ? entityDetails(context, id, asker) : null
    },

    async around(from, asker) {
      const context = host.ready()
      const sight = sightOf(context, asker)
      return sight ? neighbourhood(visibleGraph(context, sight), from) : 'all'
    },

    above: async (question, embedded) =>
      question && isOfOther(host.ready(), embedded, question) ? [] : summariesAboveAll(host.ready(), question),
    aroundAbove: async (from) => aroundAbove(host.ready(), from),

    async dataOf(row) {
      const { graph } = host.ready()
      return (typeof row === 'string' ? graph.node(row) : graph.edge(row.kind, row.source, row.target))?.data
    },

    async reserve(holds) {
      const context = host.ready()
      return isPartition(context) ? reserveWithWhole(host, holds) : reserveHolds(context, holds)
    },

    async charge(stages, holds = [], by) {
      chargeStages(host.ready(), stages, holds, by?.key)
      if (host.checkAlerts() || hasNewMessages(host.store)) await host.changed() // a mark of the budget was passed
    },

    async usage(cursor, limit, asker) {
      const context = host.ready()
      context.atomically(() => countLapsed(context))
      return usageView(context, cursor, limit, asker)
    },
  }
}

/** What a question will call afterwards is reserved when its evidence is retrieved: that needs no separate call. */
function heldFor(host: CorpusHost, hold: Hold | undefined): { readonly held?: Held } {
  const context = host.ready()
  if (!isCapped(context)) return {}
  if (!hold) return { held: 'unasked' }
  return { held: reserveHolds(context, [hold])[0] ? 'granted' : 'refused' }
}

/** Stale texts that a question found are written first. */
export async function promoteTexts(host: CorpusHost, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  promoteTasksOfNodes(host.store.sql, ids)
  await host.changed()
}
