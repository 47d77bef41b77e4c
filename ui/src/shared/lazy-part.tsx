/** A part of the page that is fetched when it is first looked at. */
import type { FunctionComponent } from 'preact'
import { useLoad } from './load'
import { Busy, Failure } from './notices'

export function LazyPart<P extends object>({ part, props }: { readonly part: () => Promise<FunctionComponent<P>>; readonly props: P }) {
  // Wrapped, because a function kept as state would be called.
  const { value, fault, again } = useLoad(async () => ({ Part: await part() }), [part])
  if (fault) return <Failure fault={fault} again={again} />
  return value ? <value.Part {...props} /> : <Busy />
}
