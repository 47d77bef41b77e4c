/** What last arrived through a webhook, from the audit log. */
import { useState } from 'preact/hooks'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { when } from '../shared/numbers'

const READ = 200 // log entries that are searched for them
const SHOWN = 10

interface Props {
  readonly corpus: string
  readonly hook: string
}

export function HookDeliveries(props: Props) {
  const [opened, see] = useState(false)
  return (
    <details onToggle={(event) => see(event.currentTarget.open)}>
      <summary>Last deliveries</summary>
      {opened && <Last {...props} />}
    </details>
  )
}

function Last({ corpus, hook }: Props) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).audit({ limit: READ }), [corpus, hook])
  const entries = value?.data.filter(({ door, key }) => door === 'hook' && key === hook) ?? []
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  if (entries.length === 0) return <p class="fine">None among the last {READ} actions here. An event without a document leaves no entry.</p>
  return (
    <ul class="plain fine">
      {entries.slice(0, SHOWN).map(({ n, at, action, document, outcome }) => (
        <li key={n} class="break">
          {when(at)} · {action === 'document.delete' ? 'deleted' : 'brought'} {document ?? 'documents'} · {outcome}
        </li>
      ))}
    </ul>
  )
}
