/** Deletes and undeletes corpora. The catalogue is told first; if the object cannot be told, the schedule does it. */

import { type Corpus, type Deleted, deleted as deletedAnswer, type Undeleted, undeleted as undeletedAnswer } from '../../contract/corpora'
import type { CorpusRef } from '../../ports/corpus'
import type { DeletedCorpus } from '../../ports/deletion'
import { corpusName, NAME, recordOf } from '../access'
import { enterAction } from '../acting-log'
import type { Ctx } from '../context'
import { forgetCached } from '../corpus-change'
import { viewOf } from '../corpus-view'
import { problemOf } from '../failures'
import { isoTimeOrNull } from '../iso-time'
import { flag } from '../parameters'
import { hasCorpusNamed, hasScope } from '../principal'
import { notFound, Problem } from '../problem'
import { checkQuery } from '../query'
import type { Answered } from '../reply'
import { route } from '../route'

/**
 * Runs before the access check of an existing corpus: a corpus that is deleted but not yet gone is shown to callers who may delete
 * it.
 */
export async function showDeleted(c: Ctx): Promise<Answered<200, Corpus> | undefined> {
  const deleted = await deletedOf(c, true)
  return deleted ? { status: 200, body: viewOf(deleted) } : undefined
}

/** A corpus that is already deleted is removed permanently, if that was requested. */
async function deleteAgain(c: Ctx): Promise<Answered<202, Deleted> | undefined> {
  const deleted = await deletedOf(c)
  if (!deleted) return undefined
  if (deleted.deletion.until !== null && isAtOnce(c)) {
    const { deletions, now } = c.get('world')
    await enterAction(c, deleted)
    await deletions.giveUp(deleted.uid, now())
    await sendToLook(c, deleted)
    log(c, 'corpus_given_up', deleted)
    return answerDeleted({ ...deleted.deletion, until: null })
  }
  return answerDeleted(deleted.deletion)
}

async function undelete(c: Ctx): Promise<Answered<200, Undeleted> | undefined> {
  const deleted = await deletedOf(c)
  if (!deleted) return undefined
  const { deletions, now } = c.get('world')
  await enterAction(c, deleted)
  if (!(await deletions.restore(deleted.uid, now()))) {
    throw new Problem('conflict', 'It is too late: the contents of this corpus are being removed.')
  }
  forgetCached(c, deleted)
  log(c, 'corpus_undeleted', deleted)
  return answerUndeleted(c, deleted)
}

export const deletionRoutes = [
  route({
    method: 'delete',
    path: '/v1/corpora/{corpus}',
    id: 'deleteCorpus',
    tag: 'corpora',
    summary: 'Delete a corpus and everything in it',
    description:
      'From now on it answers nothing. With `undelete_seconds` it can be undeleted until `gone_at` and keeps its name until then; otherwise its name is free at once. ' +
      'The job removes its contents, retries by itself, and can be read under the old name. The call may be repeated until nothing is left.',
    access: ['admin'],
    enters: 'corpus.delete',
    parameters: [flag('at_once', 'Skip the time in which it could be undeleted; also for a corpus that is already deleted.')],
    answers: {
      202: { description: 'Deleted.', schema: deletedAnswer, example: { job: 'j_1', gone_at: null } },
    },
    problems: ['invalid'],
  }).answer(
    async (c) => {
      const record = c.get('corpus')
      const { deletions, now } = c.get('world')
      const at = now()
      const until = isAtOnce(c) || !record.undeleteSeconds ? null : at + record.undeleteSeconds * 1000
      const job = `j_${crypto.randomUUID().replaceAll('-', '')}`
      await enterAction(c, record)
      const deletion = await deletions.begin(record.uid, { at, job, by: c.get('principal')?.id ?? '', until })
      forgetCached(c, record)
      if (!deletion) throw notFound('corpus')
      await sendToLook(c, record)
      log(c, 'corpus_deleted', record)
      return answerDeleted(deletion)
    },
    { before: deleteAgain },
  ),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:undelete',
    id: 'undeleteCorpus',
    tag: 'corpora',
    summary: 'Undelete a corpus',
    description:
      'It is as it was when it was deleted, and work in progress continues. Possible until `gone_at`; after that the answer is 409, and 404 once nothing is left.',
    access: ['admin'],
    enters: 'corpus.undelete',
    answers: {
      200: { description: 'The corpus is served again.', schema: undeletedAnswer, example: { corpus: 'manuals', status: 'undeleted' } },
    },
    problems: ['conflict', 'unavailable'],
  }).answer(
    // Repeated after a lost answer or an unreachable object.
    (c) => answerUndeleted(c, c.get('corpus')),
    { before: undelete },
  ),
]

async function answerUndeleted(c: Ctx, { uid, name, database }: CorpusRef & { readonly name: string }): Promise<Answered<200, Undeleted>> {
  await c.get('world').corpus(uid).reconcile(refOf({ uid, database }))
  return { status: 200, body: { corpus: name, status: 'undeleted' } }
}

/**
 * The deleted corpus of this name, if none exists: for callers who may delete it. All others get the answer of every route, which
 * knows nothing of it.
 */
async function deletedOf(c: Ctx, remembered = false): Promise<DeletedCorpus | null> {
  const principal = c.get('principal')
  const name = corpusName(c)
  if (!principal || !NAME.test(name) || !hasCorpusNamed(principal, name) || !hasScope(principal, 'admin')) return null
  if (await recordOf(c, remembered)) return null
  const deleted = await c.get('world').deletions.find(name, principal.corpora?.get(name))
  if (deleted) checkQuery(c)
  return deleted
}

/** The deletion is valid whether or not the object is told now. */
async function sendToLook(c: Ctx, { uid, database }: CorpusRef): Promise<void> {
  try {
    await c.get('world').corpus(uid).reconcile(refOf({ uid, database }))
  } catch (error) {
    console.warn(JSON.stringify({ event: 'deletion_waits', corpus: uid, code: problemOf(error).code }))
  }
}

const refOf = ({ uid, database }: { readonly uid: string; readonly database: string | undefined }): CorpusRef =>
  database === undefined ? { uid } : { uid, database }

function isAtOnce(c: Ctx): boolean {
  const text = c.req.query('at_once') ?? 'false'
  if (text === 'true' || text === 'false') return text === 'true'
  const errors = [{ path: 'at_once', message: 'true or false' }]
  throw new Problem('invalid', '`at_once` must be true or false.', { errors })
}

function answerDeleted({ job, until }: { readonly job: string; readonly until: number | null }): Answered<202, Deleted> {
  return { status: 202, body: { job, gone_at: isoTimeOrNull(until) } }
}

/** For the operators, who read the logs. */
function log(c: Ctx, event: string, { uid }: { readonly uid: string }): void {
  console.log(JSON.stringify({ event, corpus: uid, key: c.get('principal')?.id, request_id: c.get('requestId') }))
}
