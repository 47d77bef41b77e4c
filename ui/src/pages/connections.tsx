/** What a corpus is connected to: who may send to it, whom it notifies, and which pages it follows. */

import { areRightsKnown, lacking } from '../access/rights'
import { AlertsCard } from '../connections/alerts'
import { Endpoints } from '../connections/endpoints'
import { Hooks } from '../connections/hooks'
import { Sources } from '../connections/sources'
import { AuditCard } from '../operate/audit'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import type { TabProps } from './tab-props'

export function ConnectionsPage(props: TabProps) {
  if (!areRightsKnown()) return <Busy />
  return lacking('write') === '' ? <Connected {...props} /> : <NotAllowed />
}

function Connected({ corpus: { corpus } }: TabProps) {
  const hooks = useLoad((signal) => corpusAt(corpus, signal).hooks.list({ limit: 100 }), [corpus])
  const endpoints = useLoad((signal) => corpusAt(corpus, signal).endpoints.list(), [corpus])
  const sources = useLoad((signal) => corpusAt(corpus, signal).sources.list({ limit: 200 }), [corpus])
  const lists = [hooks, endpoints, sources]
  if (lists.some(({ fault }) => isStatus(fault, 401, 403))) return <NotAllowed />
  const busy = lists.some(({ value, fault }) => !value && !fault)
  // One list may be unreadable when the others are not: incoming webhooks are kept in the catalogue, the rest in the corpus.
  return (
    <>
      <h1 class="visually-hidden">Connections of {corpus}</h1>
      {lists.map(({ fault, again }, i) => (
        <Failure key={i} fault={fault} again={again} />
      ))}
      {busy && <Busy />}
      <div class="columns even">
        <div>
          {sources.value && <Sources corpus={corpus} list={sources} />}
          {hooks.value && <Hooks corpus={corpus} list={hooks} sources={sources.value?.data ?? []} />}
        </div>
        <div>
          {endpoints.value && <Endpoints corpus={corpus} list={endpoints} />}
          <AlertsCard corpus={corpus} />
        </div>
      </div>
      <AuditCard corpus={corpus} />
    </>
  )
}

function NotAllowed() {
  return (
    <Empty title="Connections need the right to write">
      <p>Who may send to this corpus, where its events go and which pages it follows is shown only to keys with the right to write.</p>
    </Empty>
  )
}
