/** Buckets that sources follow, and the rule by which each notifies the Worker's queue of changes. */
import { refusedBy } from './deploy-wrangler.mjs'

/** An existing bucket is left unchanged, whatever it contains. */
export async function makeBucket(wrangler, name) {
  const info = ['r2', 'bucket', 'info', name]
  const { code, all } = await wrangler.attempt(info)
  if (code === 0) return 'there'
  if (!/does not exist|10006/.test(all)) throw refusedBy(info, all)
  await wrangler.run(['r2', 'bucket', 'create', name, '--update-config=false'])
  return 'created'
}

/** Rules of a bucket must not overlap: an existing rule is left alone, and sources find what it keeps from us at their next listing. */
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
