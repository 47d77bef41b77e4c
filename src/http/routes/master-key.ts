/** How far secrets have been sealed anew under another master key, and a further page of it for who waits. For admin keys of all corpora. */
import { type Context, Hono } from 'hono'
import { resealPage, resealProgress } from '../../flows/reseal'
import { noScope, signedIn } from '../access'
import type { Ctx, Http } from '../context'
import { may } from '../principal'
import { checkQuery, takes } from '../query'
import { vaultOf } from './hooks'

export const masterKeyRoutes = new Hono<Http>()
  .get('/v1/master-key', takes(), signedIn, async (c) => answered(c))
  .post('/v1/master-key:reseal', takes(), signedIn, async (c) => {
    requireAll(c)
    await resealPage(partsOf(c))
    return answered(c)
  })

async function answered(c: Ctx): Promise<Response> {
  requireAll(c)
  return c.json(await resealProgress(partsOf(c)))
}

function partsOf(c: Ctx) {
  const { reseal: store, outbound, now } = c.get('world')
  return { vault: vaultOf(c), store, outbound, now }
}

function requireAll(c: Context<Http>): void {
  const principal = c.get('principal')
  if (!principal || !may(principal, 'admin') || principal.corpora !== null) throw noScope(['admin'])
  checkQuery(c)
}
