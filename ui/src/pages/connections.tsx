/** What a corpus is connected to: who may send to it, who is told of it, and which pages it follows. */
import { at, call, Fault } from '../api/client'
import type { Endpoint, Hook, Source } from '../api/living'
import { useLoad } from '../api/load'
import type { Page } from '../api/types'
import { Endpoints } from '../connections/endpoints'
import { Hooks } from '../connections/hooks'
import { Sources } from '../connections/sources'
import { AuditCard } from '../parts/audit'
import { Busy, Empty, Failure } from '../parts/notices'
import type { TabProps } from './corpus'

export function ConnectionsPage({ corpus: { corpus } }: TabProps) {
  const hooks = useLoad((signal) => call<Page<Hook>>('GET', `${at(corpus, 'hooks')}?limit=100`, { signal }), [corpus])
  const endpoints = useLoad((signal) => call<Page<Endpoint>>('GET', at(corpus, 'endpoints'), { signal }), [corpus])
  const sources = useLoad((signal) => call<Page<Source>>('GET', `${at(corpus, 'sources')}?limit=200`, { signal }), [corpus])
  const lists = [hooks, endpoints, sources]
  if (lists.some(({ fault }) => fault instanceof Fault && (fault.status === 401 || fault.status === 403))) return <NotAllowed />
  const busy = lists.some(({ value, fault }) => !value && !fault)
  // One may be unreadable where the others are not: webhooks in are kept in the catalogue, the rest in the corpus.
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
          {hooks.value && <Hooks corpus={corpus} list={hooks} />}
        </div>
        <div>{endpoints.value && <Endpoints corpus={corpus} list={endpoints} />}</div>
      </div>
      <AuditCard corpus={corpus} />
    </>
  )
}

function NotAllowed() {
  return (
    <Empty title="Connections are for writers">
      <p>Who may send to this corpus, who is told of it and which pages it follows is shown to keys with the right to write.</p>
    </Empty>
  )
}
