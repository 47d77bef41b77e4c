/** Keys: made, shown once, listed, given a new secret, revoked. */
import { useState } from 'preact/hooks'
import type { Key, MintedKey, NewKey } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { loam } from '../shared/loam'
import { Busy, Copy, Failure } from '../shared/notices'

const SCOPES = ['read', 'write', 'admin'] as const
const DAY = 86_400_000 // ms
const LIVES = [30, 90, 365] // days

export function KeysPage() {
  const { value, fault, again } = useLoad((signal) => loam({ signal }).keys({ limit: 200 }), [])
  const [failed, fail] = useState<unknown>()
  const [rotated, show] = useState<MintedKey | null>(null)
  const rotate = async ({ id, name }: Key) => {
    if (!confirm(`Give “${name}” a new secret? The old one works for another day.`)) return
    await loam().rotateKey(id).then(show, fail)
  }
  const revoke = async ({ id, name }: Key) => {
    if (!confirm(`Revoke “${name}”? Who uses it is refused within a minute.`)) return
    await loam().revokeKey(id).then(again, fail)
  }
  return (
    <section class="page">
      <h1>Keys</h1>
      <p>A key opens only what it names. Give each program its own, with the fewest rights it needs.</p>
      <Mint minted={again} />
      <Failure fault={fault ?? failed} />
      <Shown made={rotated} />
      {!value && !fault && <Busy />}
      {value && value.data.length > 0 && (
        <table class="list">
          <caption class="visually-hidden">Keys</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Rights</th>
              <th scope="col">Corpora</th>
              <th scope="col">Last used</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.data.map((one) => (
              <tr key={one.id}>
                <td>
                  {one.name} <span class="fine id">{one.id}</span>
                </td>
                <td>{one.scopes.join(', ')}</td>
                <td>{one.corpora.map((corpus) => (corpus === '*' ? 'all' : corpus)).join(', ')}</td>
                <td>{one.last_used_at ? one.last_used_at.slice(0, 16).replace('T', ' ') : 'never'}</td>
                <td>{one.expires_at?.slice(0, 10) ?? 'never'}</td>
                <td class="number">
                  <button type="button" class="small quiet" aria-label={`Rotate ${one.name}`} onClick={() => rotate(one)}>
                    Rotate
                  </button>
                  <button type="button" class="small quiet" aria-label={`Revoke ${one.name}`} onClick={() => revoke(one)}>
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {value?.data.length === 0 && <p class="fine">No keys yet besides the admin key.</p>}
    </section>
  )
}

function Mint({ minted }: { readonly minted: () => void }) {
  const [name, rename] = useState('')
  const [scopes, allow] = useState<NonNullable<NewKey['scopes']>>(['read'])
  const [corpora, confine] = useState('')
  const [life, keepFor] = useState('')
  const [made, show] = useState<MintedKey | null>(null)
  const [fault, fail] = useState<unknown>()
  const mint = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    const names = corpora.split(/[\s,]+/).filter(Boolean)
    try {
      const expires = life === '' ? {} : { expires_at: new Date(Date.now() + Number(life) * DAY).toISOString() }
      show(await loam().mintKey({ name, scopes, corpora: names, ...expires }))
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
      </fieldset>
      <label for="key-corpora">Corpora, by name; * for all, also those to come</label>
      <input
        id="key-corpora"
        required
        placeholder="notes, manuals"
        value={corpora}
        onInput={(event) => confine(event.currentTarget.value)}
      />
      <label for="key-life">Expires</label>
      <select id="key-life" value={life} onChange={(event) => keepFor(event.currentTarget.value)}>
        <option value="">never</option>
        {LIVES.map((days) => (
          <option key={days} value={String(days)}>
            in {days} days
          </option>
        ))}
      </select>
      <Failure fault={fault} />
      <button type="submit" class="primary" disabled={scopes.length === 0}>
        Make a key
      </button>
      <Shown made={made} />
    </form>
  )
}

function Shown({ made }: { readonly made: MintedKey | null }) {
  if (!made?.key) return null
  return (
    <div class="notice" role="status">
      <p>
        <strong>Copy it now.</strong> It is shown once and kept only as a hash.
      </p>
      <p class="row wrap">
        <code class="break">{made.key}</code> <Copy text={made.key} />
      </p>
    </div>
  )
}
