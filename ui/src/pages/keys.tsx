/** Keys: created, shown once, listed with what they have used of their day, limited, given a new secret, revoked. */
import { useState } from 'preact/hooks'
import type { Key, KeyLimits, KeysUsage, KeyUsage, MintedKey } from '../../../src/client/client'
import { areRightsKnown, lacking } from '../access/rights'
import { Day } from '../keys/day'
import { KeyCard } from '../keys/key-card'
import { NewKeyForm } from '../keys/new-key'
import { ShownOnce } from '../keys/shown-once'
import { useConfirm } from '../shared/confirm'
import { useLoad } from '../shared/load'
import { loam } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'

const MAX_KEYS = 200 // shown
const MAX_PAGES = 8 // of their usage: 25 keys each

export function KeysPage() {
  if (!areRightsKnown()) return <Busy />
  return lacking('admin') === '' ? <AllKeys /> : <OwnKey />
}

/** For a key that may not create keys. */
function OwnKey() {
  const used = useLoad(usageToday, [])
  return (
    <section class="page">
      <h1>Keys</h1>
      <p class="notice">{lacking('admin')}</p>
      <Own usage={used.value?.own} />
      <Failure fault={used.fault} again={used.again} />
    </section>
  )
}

function Own({ usage }: { readonly usage: KeyUsage | null | undefined }) {
  if (!usage) return null
  return (
    <section class="card" aria-labelledby="own-day">
      <h2 id="own-day">Your key</h2>
      <Day usage={usage} />
    </section>
  )
}

function AllKeys() {
  const { value, fault, again } = useLoad((signal) => loam({ signal }).keys({ limit: MAX_KEYS }), [])
  const used = useLoad(usageToday, [])
  const [failed, fail] = useState<unknown>()
  const [rotated, show] = useState<MintedKey | null>(null)
  const { ask, dialog } = useConfirm()
  const changed = () => {
    again()
    used.again()
  }
  const limit = async ({ id }: Key, limits: KeyLimits | null) => {
    fail(undefined)
    try {
      await loam().limitKey(id, limits)
      changed()
      return true
    } catch (error) {
      fail(error)
      return false
    }
  }
  const rotate = async ({ id, name }: Key) => {
    const text = 'Its new secret is shown once, here. The old one works for another day.'
    if (!(await ask({ title: `Give “${name}” a new secret?`, text, yes: 'Rotate' }))) return
    await loam().rotateKey(id).then(show, fail)
  }
  const revoke = async ({ id, name }: Key) => {
    const text = 'Anyone who uses it is refused within a minute. This cannot be undone.'
    if (!(await ask({ title: `Revoke “${name}”?`, text, yes: 'Revoke' }))) return
    await loam().revokeKey(id).then(changed, fail)
  }
  return (
    <section class="page">
      <h1>Keys</h1>
      {dialog}
      <p>A key opens only what it names. Give each program its own, with the fewest rights it needs.</p>
      <Own usage={used.value?.own} />
      <NewKeyForm minted={changed} />
      <Failure fault={fault ?? failed} />
      <ShownOnce made={rotated} />
      {!value && !fault && <Busy />}
      {value && value.data.length > 0 && (
        <ul class="cards keys" aria-label="Keys">
          {value.data.map((one) => (
            <KeyCard
              key={one.id}
              one={one}
              usage={used.value?.others.get(one.id)}
              limit={(limits) => limit(one, limits)}
              rotate={() => rotate(one)}
              revoke={() => revoke(one)}
            />
          ))}
        </ul>
      )}
      {value && !fault && used.fault !== undefined && <Failure fault={used.fault} again={used.again} />}
      {value?.next_cursor && <p class="fine">These are the first {value.data.length}; the API lists them all.</p>}
      {value?.data.length === 0 && <p class="fine">No keys yet besides the admin key.</p>}
    </section>
  )
}

interface UsedToday {
  /** For the signed-in key, if it has limits. */
  readonly own: KeyUsage | null
  readonly others: ReadonlyMap<string, KeyUsage>
}

async function usageToday(signal: AbortSignal): Promise<UsedToday> {
  const others = new Map<string, KeyUsage>()
  let next: KeysUsage | undefined
  for (let page = 0; page < MAX_PAGES && next?.next_cursor !== null; page++) {
    next = await loam({ signal }).keyUsage(next ? { cursor: next.next_cursor } : {})
    for (const one of next.data) others.set(one.id, one)
  }
  return { own: next?.key ?? null, others }
}
