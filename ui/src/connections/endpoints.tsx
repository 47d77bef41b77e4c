/** Endpoints: who is notified, with a signature, of what happens to documents. */
import { useState } from 'preact/hooks'
import type { Endpoint, EventType, MadeEndpoint, Page } from '../../../src/client/client'
import { EVENTS } from '../../../src/contract/events'
import type { Loaded } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { isRemoved, removeLater } from '../shared/removal'
import { StatusWord } from '../shared/status-word'
import { useActing } from './acting'
import { Deliveries } from './deliveries'
import { Secret } from './secret'

type Shown = MadeEndpoint & { readonly hadAnother?: true }

interface Props {
  readonly corpus: string
  readonly list: Loaded<Page<Endpoint>>
}

export function Endpoints({ corpus, list: { value, again } }: Props) {
  const [made, show] = useState<Shown | null>(null)
  const { fault, act } = useActing(again)
  const keyOf = (endpoint: string) => `endpoint ${corpus} ${endpoint}`
  const rows = value?.data.filter(({ endpoint }) => !isRemoved(keyOf(endpoint)))
  const remove = ({ endpoint, url }: Endpoint) => {
    if (made?.endpoint === endpoint) show(null)
    const here = corpusAt(corpus).endpoints
    removeLater({ keys: [keyOf(endpoint)], words: `${url} removed`, send: () => here.remove(endpoint).then(again) })
  }
  const renew = ({ endpoint }: Endpoint) =>
    act(async () => show({ ...(await corpusAt(corpus).endpoints.rotate(endpoint)), hadAnother: true }))
  return (
    <section class="card" aria-labelledby="endpoints">
      <h2 id="endpoints">Webhooks out</h2>
      <p class="fine">
        Tells your own systems when documents are ready or have failed, and when the corpus has settled. Events contain ids, never text.
      </p>
      {rows?.length === 0 && (
        <p class="hint">None yet. Enter an https address that accepts POST requests: a chat’s webhook relay, your CMS, a function.</p>
      )}
      {rows && rows.length > 0 && (
        <ul class="plain linked">
          {rows.map((one) => (
            <li key={one.endpoint}>
              <p class="row wrap">
                <strong class="break">{one.url}</strong> <StatusWord status={one.status} />
              </p>
              <p class="fine">{one.events.length ? one.events.join(', ') : 'all events'}</p>
              {one.status === 'gone' && (
                <p class="fine">It answered 410, so nothing more is sent to it until you resend a delivery or renew its secret.</p>
              )}
              <Deliveries corpus={corpus} endpoint={one} told={again} />
              <p class="row wrap">
                <button type="button" class="small" aria-label={`New secret for ${one.url}`} onClick={() => renew(one)}>
                  New secret
                </button>
                <button type="button" class="small danger" aria-label={`Remove ${one.url}`} onClick={() => remove(one)}>
                  Remove
                </button>
              </p>
            </li>
          ))}
        </ul>
      )}
      {made && (
        <Secret
          secret={made.secret}
          what={`The receiver verifies signatures with it.${made.hadAnother ? ' The old secret signs as well for another day.' : ''}`}
        />
      )}
      <Failure fault={fault} />
      <Make corpus={corpus} act={act} show={show} />
    </section>
  )
}

interface MakeProps {
  readonly corpus: string
  readonly act: (work: () => Promise<unknown>) => Promise<void>
  readonly show: (made: MadeEndpoint) => void
}

function Make({ corpus, act, show }: MakeProps) {
  const [url, name] = useState('')
  const [events, pick] = useState<readonly EventType[]>([])
  const make = (event: Event) => {
    event.preventDefault()
    void act(async () => {
      show(await corpusAt(corpus).endpoints.create({ url, ...(events.length ? { events } : {}) }))
      name('')
      pick([])
    })
  }
  return (
    <form class="stack" onSubmit={make}>
      <label for="endpoint-url">Address to send to</label>
      <input
        id="endpoint-url"
        type="url"
        required
        maxLength={2048}
        placeholder="https://example.org/loam"
        value={url}
        onInput={(event) => name(event.currentTarget.value)}
      />
      <fieldset class="choices two">
        <legend>Which events; choose none for all</legend>
        {EVENTS.map((one) => (
          <label class="check" key={one}>
            <input
              type="checkbox"
              checked={events.includes(one)}
              onChange={() => pick(events.includes(one) ? events.filter((each) => each !== one) : [...events, one])}
            />
            {one}
          </label>
        ))}
      </fieldset>
      <p>
        <button type="submit">Add an endpoint</button>
      </p>
    </form>
  )
}
