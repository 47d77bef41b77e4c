/** Webhooks in: other systems send documents, signed. */
import { useState } from 'preact/hooks'
import type { Hook, MadeHook, Page, Preset, Source } from '../../../src/client/client'
import { LabelsField } from '../access/labels-field'
import { ReaderTags } from '../access/reader-tags'
import { labelsIn } from '../access/readers'
import { lacking } from '../access/rights'
import type { Loaded } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { when } from '../shared/numbers'
import { isRemoved, removeLater } from '../shared/removal'
import { useActing } from './acting'
import { HookDeliveries } from './hook-deliveries'
import { HookTest } from './hook-test'
import { FIELDS, Mapping, mappingOf } from './mapping'
import { Secret } from './secret'
import { type NewSignature, SignatureFields } from './signature-fields'

const PRESETS: Readonly<Record<Preset, readonly [name: string, what: string]>> = {
  generic: [
    'Any system',
    'Signed as Standard Webhooks require. Its events may have any form: enter below where an event has its document.',
  ],
  standard: [
    'Standard Webhooks',
    'Signed as Standard Webhooks require; the secret begins with whsec_. Events are {id, text, title?}, or {id, deleted: true}.',
  ],
  github: [
    'GitHub',
    'Adds release notes and the messages of pushed commits. Paste address and secret under Settings, Webhooks; content type JSON.',
  ],
  hmac: [
    'Any system, by HMAC',
    'Signs the body with HMAC-SHA-256 in a header. Enter below which header, and where an event has its documents.',
  ],
}

type Shown = MadeHook & { readonly hadAnother?: true }

interface Props {
  readonly corpus: string
  readonly list: Loaded<Page<Hook>>
  /** A GitHub webhook can trigger the fetch of one of its repositories. */
  readonly sources: readonly Source[]
}

export function Hooks({ corpus, sources, list: { value, again } }: Props) {
  const [made, show] = useState<Shown | null>(null)
  const { fault, act } = useActing(again)
  const keyOf = (hook: string) => `hook ${corpus} ${hook}`
  const rows = value?.data.filter(({ hook }) => !isRemoved(keyOf(hook)))
  const remove = ({ hook, preset }: Hook) => {
    if (made?.hook === hook) show(null)
    const here = corpusAt(corpus).hooks
    removeLater({ keys: [keyOf(hook)], words: `Webhook (${PRESETS[preset][0]}) removed`, send: () => here.remove(hook).then(again) })
  }
  const renew = ({ hook }: Hook) => act(async () => show({ ...(await corpusAt(corpus).hooks.rotate(hook)), hadAnother: true }))
  return (
    <section class="card" aria-labelledby="hooks">
      <h2 id="hooks">Webhooks in</h2>
      <p class="fine">
        Another system sends its documents here as they change: each event is verified, applied once, and followed by a job.
      </p>
      {rows?.length === 0 && (
        <p class="hint">
          None yet. Create one and give its address and secret to the sender; what is written there can be found here within seconds.
        </p>
      )}
      {rows && rows.length > 0 && (
        <ul class="plain linked">
          {rows.map((one) => (
            <li key={one.hook}>
              <p>
                <strong>{PRESETS[one.preset][0]}</strong> <span class="fine">since {when(one.created_at)}</span>
              </p>
              <p>
                <code class="break">{one.url}</code>
              </p>
              {one.source && (
                <p class="fine">
                  A push fetches <span class="break">{addressOf(sources, one.source)}</span> at once
                </p>
              )}
              {one.access.length > 0 && (
                <p class="fine">
                  Its documents can be read by <ReaderTags readers={one.access} />
                </p>
              )}
              {lacking('admin') === '' && <HookDeliveries corpus={corpus} hook={one.hook} />}
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
          url={made.url}
          what={`Give both to the sender.${made.hadAnother ? ' The old secret works for another day.' : ''}`}
        />
      )}
      {made && <HookTest key={made.secret} hook={made} />}
      <Failure fault={fault} />
      <Make corpus={corpus} repositories={sources.filter(({ kind }) => kind === 'github')} act={act} show={show} />
    </section>
  )
}

const addressOf = (sources: readonly Source[], id: string): string => sources.find(({ source }) => source === id)?.url ?? id

interface MakeProps {
  readonly corpus: string
  readonly repositories: readonly Source[]
  readonly act: (work: () => Promise<unknown>) => Promise<void>
  readonly show: (made: MadeHook) => void
}

function Make({ corpus, repositories, act, show }: MakeProps) {
  const [preset, choose] = useState<Preset>('generic')
  const [fields, write] = useState<Readonly<Record<string, string>>>({})
  const [form, sign] = useState<NewSignature>({ header: '' })
  const [source, follow] = useState('')
  const [text, label] = useState('')
  const access = labelsIn(text)
  const make = (event: Event) => {
    event.preventDefault()
    const mapping = preset === 'github' ? undefined : mappingOf(fields)
    const signature = preset === 'hmac' ? { signature: form } : {}
    const fetched = preset === 'github' && source !== ''
    void act(async () => {
      show(
        await corpusAt(corpus).hooks.create({
          preset,
          ...signature,
          ...(mapping ? { mapping } : {}),
          ...(fetched ? { source } : {}),
          ...(access.length > 0 && !fetched ? { access } : {}),
        }),
      )
      write({})
      label('')
    })
  }
  return (
    <form class="stack" onSubmit={make}>
      <label for="hook-preset">Who sends</label>
      <select
        id="hook-preset"
        value={preset}
        aria-describedby="hook-what"
        onChange={(event) => choose(event.currentTarget.value as Preset)}
      >
        {Object.entries(PRESETS).map(([value, [name]]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <p id="hook-what" class="fine">
        {PRESETS[preset][1]}
      </p>
      {preset === 'github' && (
        <>
          <label for="hook-source">What a push brings</label>
          <select id="hook-source" value={source} onChange={(event) => follow(event.currentTarget.value)}>
            <option value="">its release notes and the messages of its commits</option>
            {repositories.map((one) => (
              <option key={one.source} value={one.source}>
                fetches {one.url} at once
              </option>
            ))}
          </select>
          {repositories.length === 0 && <p class="fine">Follow a repository under Sources, and a push can fetch what has changed in it.</p>}
        </>
      )}
      {preset === 'hmac' && <SignatureFields form={form} write={sign} />}
      {(preset === 'generic' || preset === 'hmac') && <Mapping fields={fields} write={write} names={FIELDS} />}
      <LabelsField id="hook-labels" name="Who may read its documents" text={text} change={label}>
        Labels given to its documents; the sender cannot choose them. Without labels: the corpus’s default.
      </LabelsField>
      <p>
        <button type="submit">Create a webhook</button>
      </p>
    </form>
  )
}
