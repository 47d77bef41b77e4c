/** What the signed-in key may do. What the page does not know yet, it leaves to the service. */
import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { OwnKey } from '../../../src/client/client'
import { asked, key } from '../session'
import { loam } from '../shared/loam'

const rights = signal<OwnKey | undefined>(undefined)
const isAnswered = signal(false)

effect(() => {
  const bearer = key.value
  rights.value = undefined
  isAnswered.value = !bearer
  asked.value = []
  if (!bearer) return
  loam({ bearer })
    .ownKey()
    .then(
      (own) => {
        if (key.peek() === bearer) rights.value = own
      },
      () => undefined,
    )
    .finally(() => {
      if (key.peek() === bearer) isAnswered.value = true
    })
})

const LACKING = {
  write: 'Your key may only read here: sign in with a key that may write.',
  admin: 'Your key may not do this: sign in with an administrator’s key.',
} as const

/** Why the key may not; empty if it may, or if that is not known. */
export function lacking(scope: keyof typeof LACKING): string {
  if (key.value === '') return 'You are reading without a key: sign in with one that may make changes.'
  const own = rights.value
  return !own || own.scopes.includes('admin') || own.scopes.includes(scope) ? '' : LACKING[scope]
}

/** Before this, what only some keys may read is not asked for. */
export const areRightsKnown = (): boolean => isAnswered.value

/** May it say on whose behalf it asks? */
export const mayChoose = (): boolean => rights.value !== undefined && (rights.value.access_choose || rights.value.scopes.includes('admin'))

interface Props {
  readonly scope: keyof typeof LACKING
  /** The reason is elsewhere on the page. */
  readonly silent?: boolean
  readonly children: ComponentChildren
}

/** Content that requires a right; without it, nothing in it can be used, and the reason is shown above. */
export function Allowed({ scope, silent = false, children }: Props) {
  const reason = lacking(scope)
  return (
    <fieldset class="allowed" disabled={reason !== ''}>
      {reason && !silent && <p class="notice fine">{reason}</p>}
      {children}
    </fieldset>
  )
}
