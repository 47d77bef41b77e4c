/** A form for a new key. */
import { useState } from 'preact/hooks'
import type { MintedKey, NewKey } from '../../../src/client/client'
import { labelLimits } from '../../../src/core/access/labels'
import { LabelsField } from '../access/labels-field'
import { labelsIn } from '../access/readers'
import { loam } from '../shared/loam'
import { Failure } from '../shared/notices'
import { ENDLESS, ExpiryFields, expiresAt } from './expiry'
import { LimitFields } from './limit-fields'
import { limitsOf, UNLIMITED } from './limits'
import { ShownOnce } from './shown-once'

const SCOPES = ['read', 'write', 'admin'] as const

export function NewKeyForm({ minted }: { readonly minted: () => void }) {
  const [name, rename] = useState('')
  const [scopes, allow] = useState<NonNullable<NewKey['scopes']>>(['read'])
  const [chooses, choose] = useState(false)
  const [corpora, confine] = useState('')
  const [principals, speakFor] = useState('')
  const [expiry, expire] = useState(ENDLESS)
  const [limits, limit] = useState(UNLIMITED)
  const [made, show] = useState<MintedKey | null>(null)
  const [fault, fail] = useState<unknown>()
  const mint = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    const expires = expiresAt(expiry, Date.now())
    const limited = limitsOf(limits)
    try {
      show(
        await loam().mintKey({
          name,
          scopes,
          corpora: corpora.split(/[\s,]+/).filter(Boolean),
          principals: labelsIn(principals),
          access_choose: chooses,
          ...(expires === undefined ? {} : { expires_at: expires }),
          ...(limited ? { limits: limited } : {}),
        }),
      )
      rename('')
      minted()
    } catch (error) {
      fail(error)
    }
  }
  return (
    <form onSubmit={mint} class="card">
      <h2>New key</h2>
      <label for="key-name">What it is for</label>
      <input
        id="key-name"
        required
        maxLength={200}
        placeholder="nightly import"
        value={name}
        onInput={(event) => rename(event.currentTarget.value)}
      />
      <fieldset class="choices">
        <legend>Rights</legend>
        {SCOPES.map((scope) => (
          <label class="check" key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => allow(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])}
            />
            {scope}
          </label>
        ))}
        <label class="check">
          <input type="checkbox" checked={chooses} onChange={(event) => choose(event.currentTarget.checked)} />
          may ask on behalf of others, for an application that serves many people
        </label>
      </fieldset>
      <label for="key-corpora">Corpora, by name; * for all, future ones included</label>
      <input
        id="key-corpora"
        required
        placeholder="notes, manuals"
        value={corpora}
        onInput={(event) => confine(event.currentTarget.value)}
      />
      <LabelsField id="key-principals" name="Speaks for" text={principals} change={speakFor} max={labelLimits.perAsker}>
        It reads documents that carry one of these labels, and those without. An admin key reads all.
      </LabelsField>
      <ExpiryFields expiry={expiry} change={expire} />
      <LimitFields id="key" typed={limits} change={limit} />
      <Failure fault={fault} />
      <button type="submit" class="primary" disabled={scopes.length === 0}>
        Create a key
      </button>
      <ShownOnce made={made} />
    </form>
  )
}
