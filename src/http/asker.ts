/**
 * On whose behalf a request asks (core/access/labels.ts). A key speaks for its principals, an administrator's key for everybody; a
 * signed token of the deployment's identity provider adds those it names. Only a key with the right to choose may override this, with
 * `Loam-As`; then only that counts.
 */
import { createMiddleware } from 'hono/factory'
import { type Asker, EVERYONE, isLabel, labelLimits, ordered } from '../core/access/labels'
import { type Ctx, type Http, objectOf } from './context'
import { hasScope } from './principal'
import { Problem } from './problem'

export const AS = 'loam-as'
const SOON = 5 // seconds

export function askerOf(c: Ctx): Promise<Asker> {
  const known = c.get('asker') ?? readAsker(c)
  c.set('asker', known)
  return known
}

async function readAsker(c: Ctx): Promise<Asker> {
  const chosen = c.req.header(AS)
  if (chosen !== undefined) return chosenAsker(c, chosen)
  const principal = c.get('principal')
  if (principal && hasScope(principal, 'admin')) return 'all'
  const named = (await c.get('world').identity?.principals((name) => c.req.header(name))) ?? []
  if (named === 'refused') {
    throw new Problem('unauthorized', 'The identity token is not valid here. Check its signature, issuer, audience and times.')
  }
  if (named === 'unavailable') throw new Problem('unavailable', 'The identity provider’s keys could not be fetched.', { retryAfter: SOON })
  return ordered([...(principal?.principals ?? []), ...named])
}

/** For requests that count the whole corpus: how much is hidden must not be told to those it is hidden from. */
export const requireWholeSight = createMiddleware<Http>(async (c, next) => {
  const { all } = await objectOf(c).seen({ withInactive: true }, await askerOf(c))
  if (!all) throw new Problem('forbidden', 'This covers the whole corpus, and the key may read only part of it.')
  await next()
})

/** Who an answer stored for a repeated request was made for: no asker gets another's. */
export async function askerKey(c: Ctx): Promise<string> {
  const asker = await askerOf(c)
  return asker === 'all' ? asker : JSON.stringify(asker)
}

function chosenAsker(c: Ctx, text: string): Asker {
  const principal = c.get('principal')
  if (!principal || !(hasScope(principal, 'admin') || principal.accessChoose)) {
    throw new Problem('forbidden', 'This key may not ask on behalf of others: it lacks `access_choose`.')
  }
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > labelLimits.perAsker || !names.every(isLabel) || names.includes(EVERYONE)) {
    const errors = [
      { path: 'Loam-As', message: `at most ${labelLimits.perAsker} principals, e.g. \`group:finance, user:ana@example.org\`` },
    ]
    throw new Problem('invalid', 'The header Loam-As is not a list of principals.', { errors })
  }
  return ordered(names)
}
