/** Buckets that sources follow, and the rule by which each tells the Worker's queue what comes and goes. */
import { refusedBy } from './deploy-wrangler.mjs'

/** One that is there is left as it is, whatever it holds. */
export async function makeBucket(wrangler, name) {
  const info = ['r2', 'bucket', 'info', name]
  const { code, all } = await wrangler.attempt(info)
  if (code === 0) return 'there'
  if (!/does not exist|10006/.test(all)) throw refusedBy(info, all)
  await wrangler.run(['r2', 'bucket', 'create', name, '--update-config=false'])
  return 'created'
}

/** Rules of a bucket must not overlap: somebody else's is left, and sources find at their next listing what it keeps from us. */
export async function makeNotification(wrangler, { name, queue }) {
  const { all } = await wrangler.attempt(['r2', 'bucket', 'notification', 'list', name])
  if (all.includes(queue)) return 'there'
  const create = ['r2', 'bucket', 'notification', 'create', name, '--event-type', 'object-create', 'object-delete', '--queue', queue]
  const made = await wrangler.attempt(create)
  if (made.code === 0) return 'created'
  if (/overlap|conflict/i.test(made.all))
    return 'not created: another rule of this bucket overlaps; sources find changes at their next listing'
  throw refusedBy(create, made.all)
}
