/** One key: what it may do, what it has used of its day, and what can be done with it. */
import { useRef, useState } from 'preact/hooks'
import type { Key, KeyLimits, KeyUsage } from '../../../src/client/client'
import { ReaderTags } from '../access/reader-tags'
import { Day } from './day'
import { LimitFields } from './limit-fields'
import { limitsOf, typedLimitsOf } from './limits'

interface Props {
  readonly one: Key
  readonly usage: KeyUsage | undefined
  /** Have they been taken? */
  readonly limit: (limits: KeyLimits | null) => Promise<boolean>
  readonly rotate: () => void
  readonly revoke: () => void
}

export function KeyCard({ one, usage, limit, rotate, revoke }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [changing, change] = useState(false)
  const { id, name, scopes, corpora, principals, access_choose, limits, last_used_at, expires_at } = one
  const rights = [...scopes, ...(access_choose ? ['asks on behalf of others'] : [])]
  const over = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const entries = [
    ['Rights', rights.join(', ')],
    ['Corpora', corpora.map((corpus) => (corpus === '*' ? 'all' : corpus)).join(', ') || 'none that exists'],
    ['Speaks for', principals.length > 0 ? <ReaderTags readers={principals} /> : 'nobody in particular'],
    ['Last used', last_used_at ? last_used_at.slice(0, 16).replace('T', ' ') : 'never'],
    ['Expires', `${expires_at?.slice(0, 10) ?? 'never'}${over ? ' (it is refused)' : ''}`],
  ] as const
  const save = async (wanted: KeyLimits | null) => {
    if (!(await limit(wanted))) return
    change(false)
    button.current?.focus()
  }
  return (
    <li class="card access">
      <h2>
        {name} <span class="fine id">{id}</span>
      </h2>
      <dl class="pairs">
        {entries.map(([what, entry]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{entry}</dd>
          </div>
        ))}
      </dl>
      {usage && <Day usage={usage} />}
      {limits === null && <p class="fine">It has no limits, so what it uses is not counted.</p>}
      <p class="row wrap">
        <button
          type="button"
          class="small"
          ref={button}
          aria-label={`Limits of ${name}`}
          aria-expanded={changing}
          onClick={() => change(!changing)}
        >
          Limits
        </button>
        <button type="button" class="small quiet" aria-label={`Rotate ${name}`} onClick={rotate}>
          Rotate
        </button>
        <button type="button" class="small quiet" aria-label={`Revoke ${name}`} onClick={revoke}>
          Revoke
        </button>
      </p>
      {changing && <ChangeLimits one={one} save={save} />}
    </li>
  )
}

function ChangeLimits({ one, save }: { readonly one: Key; readonly save: (limits: KeyLimits | null) => void }) {
  const [limits, type] = useState(() => typedLimitsOf(one.limits))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save(limitsOf(limits))
      }}
    >
      <LimitFields id={`limits-${one.id}`} typed={limits} change={type} />
      <p class="fine">Takes effect within a minute. A key’s rights cannot be changed: create another key instead.</p>
      <button type="submit">Save</button>
    </form>
  )
}
