/** A part of the page that is fetched when it is first shown, or slightly earlier. */
import type { FunctionComponent } from 'preact'
import { useLoad } from './load'
import { Busy, Failure } from './notices'
import { isOutdated } from './outdated'

export interface Lazy<P> {
  /** Once it is loaded. */
  readonly there: () => FunctionComponent<P> | undefined
  readonly fetch: () => Promise<FunctionComponent<P>>
}

/** It is fetched once; again after a failure. */
export function lazy<P>(read: () => Promise<FunctionComponent<P>>): Lazy<P> {
  let part: FunctionComponent<P> | undefined
  let coming: Promise<FunctionComponent<P>> | undefined
  const fetch = async () => {
    coming ??= read()
    try {
      part = await coming
      return part
    } catch (fault) {
      coming = undefined
      throw fault
    }
  }
  return { there: () => part, fetch }
}

/** Prefetches what will soon be needed; if that fails, the part that needs it reports it. */
export function fetchAhead(part: { readonly fetch: () => Promise<unknown> } | undefined): void {
  void part?.fetch().catch(() => undefined)
}

export function LazyPart<P extends object>({ part, props }: { readonly part: Lazy<P>; readonly props: P }) {
  const { fault, again } = useLoad(() => fetched(part), [part])
  const Here = part.there()
  if (Here) return <Here {...props} />
  if (fault instanceof Outdated) return <PublishedAnew />
  return fault ? <Failure fault={fault} again={again} /> : <Busy />
}

class Outdated extends Error {}

async function fetched(part: { readonly fetch: () => Promise<unknown> }): Promise<void> {
  try {
    await part.fetch()
  } catch (fault) {
    throw (await isOutdated()) ? new Outdated() : fault
  }
}

/** Never automatically: requests in progress would be interrupted. */
function PublishedAnew() {
  return (
    <div class="failure" role="alert">
      <p>Loam has been updated since this page was opened. Reload the page to continue; what you typed but did not send is lost.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  )
}
