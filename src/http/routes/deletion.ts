/** Corpora deleted and undeleted. The catalogue is told first; what the object could not be told is done by the schedule. */
import { Hono } from 'hono'
import type { CorpusRef } from '../../ports/corpus'
import type { DeletedCorpus } from '../../ports/deletion'
import { corpusName, NAME, noCorpus, recordOf, within } from '../access'
import { actorOf, type Ctx, type Http } from '../context'
import { problemOf } from '../failures'
import { may, names } from '../principal'
import { Problem } from '../problem'
import { checkQuery, takes } from '../query'
import { forget, viewOf } from './corpora'

const PATH = '/v1/corpora/:corpus{[^/:]+}'

export const deletionRoutes = new Hono<Http>()
  .get(PATH, async (c, next) => {
    const deleted = await deletedOf(c, true)
    return deleted ? c.json(viewOf(deleted)) : next()
  })
  .delete(PATH, takes('at_once'), async (c, next) => {
    const deleted = await deletedOf(c)
    if (!deleted) return next()
    if (deleted.deletion.until !== null && isAtOnce(c)) {
      const { deletions, now } = c.get('world')
      await entered(c, 'corpus.delete', deleted)
      await deletions.giveUp(deleted.uid, now())
      await told(c, deleted)
      log(c, 'corpus_given_up', deleted)
      return answer(c, { ...deleted.deletion, until: null })
    }
    return answer(c, deleted.deletion)
  })
  .delete(PATH, within('admin'), async (c) => {
    const record = c.get('corpus')
    const { deletions, now } = c.get('world')
    const at = now()
    const until = isAtOnce(c) || !record.undeleteSeconds ? null : at + record.undeleteSeconds * 1000
    const job = `j_${crypto.randomUUID().replaceAll('-', '')}`
    await entered(c, 'corpus.delete', record)
    const deletion = await deletions.begin(record.uid, { at, job, by: c.get('principal')?.id ?? '', until })
    forget(c, record)
    if (!deletion) throw noCorpus()
    await told(c, record)
    log(c, 'corpus_deleted', record)
    return answer(c, deletion)
  })
  .post('/v1/corpora/:corpus{[^/:]+:undelete}', async (c, next) => {
    const deleted = await deletedOf(c)
    if (!deleted) return next()
    const { deletions, now } = c.get('world')
    await entered(c, 'corpus.undelete', deleted)
    if (!(await deletions.restore(deleted.uid, now()))) {
      throw new Problem('conflict', 'It is too late: this corpus is being cleared away.')
    }
    forget(c, deleted)
    log(c, 'corpus_undeleted', deleted)
    return undeleted(c, deleted)
  })
  // Again, after an answer that was lost or an object that could not be reached.
  .post('/v1/corpora/:corpus{[^/:]+:undelete}', within('admin'), (c) => undeleted(c, c.get('corpus')))

async function undeleted(c: Ctx, { uid, name, database }: CorpusRef & { readonly name: string }): Promise<Response> {
  await c.get('world').corpus(uid).reconcile(refOf({ uid, database }))
  return c.json({ corpus: name, status: 'undeleted' })
}

/** Of the name, where none is living: for who may delete it. All others go the way of every route, which knows nothing of it. */
async function deletedOf(c: Ctx, remembered = false): Promise<DeletedCorpus | null> {
  const principal = c.get('principal')
  const name = corpusName(c)
  if (!principal || !NAME.test(name) || !names(principal, name) || !may(principal, 'admin')) return null
  if (await recordOf(c, remembered)) return null
  const deleted = await c.get('world').deletions.find(name, principal.corpora?.get(name))
  if (deleted) checkQuery(c)
  return deleted
}

/** The deletion holds whether or not the object hears of it now. */
async function told(c: Ctx, { uid, database }: CorpusRef): Promise<void> {
  try {
    await c.get('world').corpus(uid).reconcile(refOf({ uid, database }))
  } catch (error) {
    console.warn(JSON.stringify({ event: 'deletion_waits', corpus: uid, code: problemOf(error).code }))
  }
}

const refOf = ({ uid, database }: { readonly uid: string; readonly database: string | undefined }): CorpusRef =>
  database === undefined ? { uid } : { uid, database }

function isAtOnce(c: Ctx): boolean {
  const said = c.req.query('at_once') ?? 'false'
  if (said === 'true' || said === 'false') return said === 'true'
  const errors = [{ path: 'at_once', message: 'true or false' }]
  throw new Problem('invalid', '`at_once` must be true or false.', { errors })
}

function answer(c: Ctx, { job, until }: { readonly job: string; readonly until: number | null }): Response {
  return c.json({ job, gone_at: until === null ? null : new Date(until).toISOString() }, 202)
}

/** Before it is done. The corpus's own log goes with it, so the deployment's says who deleted it. */
function entered(c: Ctx, action: string, { name }: { readonly name: string }): Promise<void> {
  const { audit, now } = c.get('world')
  return audit.add({ ...actorOf(c), at: now(), action, subject: name, outcome: 'asked' })
}

/** For who watches the logs. */
function log(c: Ctx, event: string, { uid }: { readonly uid: string }): void {
  console.log(JSON.stringify({ event, corpus: uid, key: c.get('principal')?.id, request_id: c.get('requestId') }))
}
