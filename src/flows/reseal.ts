/**
 * Seals secrets again after the master key was replaced: webhooks' secrets next to the catalogue, endpoints' in their objects, a page at a
 * time. The cron trigger does it, or a caller of `POST /v1/master-key:reseal`. Doing a page twice is harmless, each value is replaced only
 * if it is still the one that was read, and a pass that met a value being changed, or an object that did not answer, is followed by
 * another.
 */
import type { MasterKey } from '../contract/deployment'
import { type Resealed, resealSecrets, type Vault } from '../hooks/seal'
import type { Secrets } from '../ports/deliveries'
import type { OutboundObject } from '../ports/outbound'
import type { ResealState, ResealStore, SealedSecrets } from '../ports/reseal'

const SETTLE = 60_000 // ms in which instances that do not have the new key yet come to an end: they could not open what it seals
const WEBHOOKS = 40 // handled per page: at most one statement each
const CORPORA = 20 // whose endpoints are handled per page
const PAGES = 10 // per trigger: an invocation may make 1,000 calls of D1
const AT_ONCE = 6 // connections a Worker may have open

interface Deps {
  readonly vault: Vault
  readonly store: ResealStore
  readonly outbound: (uid: string) => Pick<OutboundObject, 'endpointSecrets' | 'replaceSecrets'>
  readonly now: () => number
}

const newPass = { stage: 'webhooks', after: '', unreadable: 0, again: 0 } as const

/** Its progress, without doing anything. */
export async function resealProgress({ vault, store, now }: Deps): Promise<MasterKey> {
  const keys = await vault.keys()
  const state = current(await store.state(), keys, now())
  const status = state.done !== null ? 'done' : now() < state.since + SETTLE ? 'settling' : 'resealing'
  const left =
    status === 'done'
      ? { webhooks: 0, corpora: 0 }
      : state.stage === 'webhooks'
        ? await store.left(state.after, '')
        : await store.left(null, state.after)
  const { resealed, unreadable, again: repeat } = state
  return { key: keys[0] ?? '', older_keys: keys.length - 1, status, resealed, unreadable, repeat, left }
}

/** Page by page until everything is done, the time is up, or an invocation has made enough calls. */
export async function resealUntil(deps: Deps, until: number): Promise<void> {
  for (let pages = 0; pages < PAGES && deps.now() < until && (await resealPage(deps)); pages++);
}

/** One page. False: there is nothing to do, or not yet. */
export async function resealPage(deps: Deps): Promise<boolean> {
  const { vault, store, now } = deps
  const before = await store.state()
  const state = current(before, await vault.keys(), now())
  if (before !== state) await store.advance(before, state)
  if (state.done !== null || now() < state.since + SETTLE) return false
  const after = state.stage === 'webhooks' ? await webhooksPage(deps, state) : await endpointsPage(deps, state)
  await store.advance(state, after) // refused: somebody else has also done the page
  return after.done === null
}

/** The stored state, if it is about these keys. Removing keys that nothing is sealed under changes nothing. */
function current(state: ResealState | null, keys: readonly string[], now: number): ResealState {
  const isSame = state?.keys.join() === keys.join()
  const isMoot = state?.keys[0] === keys[0] && state?.done !== null && state?.unreadable === 0
  if (state && (isSame || isMoot)) return state
  return { keys, since: now, done: null, resealed: 0, ...newPass }
}

async function webhooksPage(deps: Deps, state: ResealState): Promise<ResealState> {
  const page = await deps.store.webhooks(state.after, WEBHOOKS)
  const found = await each(page, (one) => renew(deps, one, (...change) => deps.store.replace(one.id, ...change)))
  const counted = { ...state, ...sum([state, ...found]) }
  const last = page.at(-1)
  return last && page.length === WEBHOOKS ? { ...counted, after: last.id } : { ...counted, stage: 'endpoints', after: '' }
}

async function endpointsPage(deps: Deps, state: ResealState): Promise<ResealState> {
  const page = await deps.store.corpora(state.after, CORPORA)
  const found = await each(page, (uid) => corpusPage(deps, uid))
  const counted = { ...state, ...sum([state, ...found]) }
  const last = page.at(-1)
  if (last && page.length === CORPORA) return { ...counted, after: last }
  return counted.again > 0 ? { ...counted, ...newPass } : { ...counted, after: '', done: deps.now() }
}

type Found = Pick<ResealState, 'resealed' | 'unreadable' | 'again'>
const nothing: Found = { resealed: 0, unreadable: 0, again: 0 }

async function corpusPage(deps: Deps, uid: string): Promise<Found> {
  const object = deps.outbound(uid)
  try {
    const found: Found[] = []
    for (const one of await object.endpointSecrets()) {
      found.push(await renew(deps, one, (...change) => object.replaceSecrets(one.id, ...change)))
    }
    return sum(found)
  } catch {
    return { ...nothing, again: 1 } // one that does not answer must not keep the others waiting
  }
}

async function renew(
  { vault, now }: Deps,
  { id, secrets }: SealedSecrets,
  replace: (before: Secrets, after: Secrets) => Promise<boolean>,
): Promise<Found> {
  const renewed: Resealed = await resealSecrets(vault, secrets, { name: id, now: now() })
  const { changed, unreadable } = renewed
  if (changed === 0) return { ...nothing, unreadable }
  return (await replace(secrets, renewed.secrets)) ? { ...nothing, resealed: changed, unreadable } : { ...nothing, unreadable, again: 1 }
}

function sum(found: readonly Found[]): Found {
  const of = (pick: (one: Found) => number): number => found.reduce((total, one) => total + pick(one), 0)
  return { resealed: of((one) => one.resealed), unreadable: of((one) => one.unreadable), again: of((one) => one.again) }
}

async function each<T>(all: readonly T[], act: (one: T) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) found.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(act))))
  return found
}
