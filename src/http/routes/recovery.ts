/** Restores a corpus to a moment; what was deleted since stays deleted (docs/backup.md). */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { REMEMBERED_DAYS, type RecoveryEstimate, recoveryEstimate, recoverySchema, restoreToSchema } from '../../contract/recoveries'
import type { CorpusRecord } from '../../ports/catalogue'
import type { CorpusObject } from '../../ports/object'
import type { RecoveryRefusal, RecoveryState } from '../../ports/recovery'
import { enterAction } from '../acting-log'
import { actorOf, type Ctx, objectOf } from '../context'
import { forgetCached } from '../corpus-change'
import { isoTime, isoTimeOrNull } from '../iso-time'
import { Problem } from '../problem'
import { route } from '../route'

const DAY = 86_400_000 // ms
const LOOK = 5000 // ms between two checks of a corpus that is closing
const LOOKS = 6 // the schedule continues after that
const example = {
  corpus: 'manuals',
  status: 'restored',
  id: 'r_1',
  time: '2026-03-01T09:00:00.000Z',
  version_before: 48,
  version: 49,
  replaying: 0,
  job: 'j_1',
} as const

export const recoveryRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:restore-to',
    id: 'restoreCorpusTo',
    tag: 'corpora',
    summary: 'Restore a corpus, in place, to a moment in the last 30 days',
    description:
      'Without `confirm` nothing is changed: the answer says which version it was, what would be lost and what stays deleted. With it the corpus is closed, its storage is restored by the platform’s point-in-time recovery, and documents deleted since are deleted again before anything is answered. It is then served under a new, higher version. Receipts, audit log, costs, endpoints and secrets are as they are now, settings and strategies as they were then, and the question log and conversations are emptied. A job updates the database and the vector index. 409 `point_in_time_unavailable` if the platform keeps no earlier states, as on a local machine.',
    access: ['admin'],
    needsWholeSight: true,
    enters: 'corpus.restore',
    body: { schema: restoreToSchema, example: { time: '2026-03-01T09:00:00Z' } },
    answers: {
      200: { description: 'The consequences; nothing was changed.', schema: recoveryEstimate },
      202: { description: 'The corpus is closed and being restored.', schema: recoverySchema, example },
    },
    repeatable: true,
    problems: ['invalid', 'conflict', 'point_in_time_unavailable', 'embedding_mismatch', 'restoring'],
  }).answer(async (c, { time: said, confirm }) => {
    const record = c.get('corpus')
    const world = c.get('world')
    const time = requireRemembered(said, world.now())
    const estimate = await estimateOf(c, record, time)
    if (confirm === undefined) return { status: 200, body: estimate }
    if (confirm !== estimate.confirm)
      throw new Problem('conflict', 'The corpus has changed since this estimate, or the estimate was for another time. Get a new estimate.')
    await enterAction(c, record)
    const id = `r_${crypto.randomUUID().replaceAll('-', '')}`
    const isAsked = await world.recoveries.ask({ id, uid: record.uid, time, asked: world.now(), by: actorOf(c) })
    forgetCached(c, record)
    if (!isAsked) throw new Problem('conflict', 'This corpus is already being restored to a moment; see `GET …/restore-to`.')
    const state = await step(objectOf(c))
    world.later(goOn(c, record))
    return {
      status: 202,
      body: shown(record, state ?? { id, time, status: 'closing', replaying: 0, before: null, version: null, job: null }),
    }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/restore-to',
    id: 'getRestoreTo',
    tag: 'corpora',
    summary: 'Get the progress of restoring a corpus to a moment',
    description: 'Reading it also moves the restore forward. Afterwards the last one can still be read.',
    access: ['admin'],
    answers: { 200: { description: 'The progress.', schema: recoverySchema, example } },
    problems: ['not_found'],
  }).answer(async (c) => {
    const record = c.get('corpus')
    const state = await step(objectOf(c))
    if (!state) throw new Problem('not_found', 'This corpus has never been restored to a moment.')
    if (state.status === 'done' || state.status === 'refused') forgetCached(c, record)
    return { status: 200, body: shown(record, state) }
  }),
]

/** When the storage is restored, the object instance ends, and the call with it: the next call meets the restored state. */
const step = (object: Pick<CorpusObject, 'recover'>): Promise<RecoveryState | null> => object.recover().catch(() => object.recover())

function requireRemembered(said: string, now: number): number {
  const time = Date.parse(said)
  const refused = (message: string) =>
    new Problem('invalid', 'The corpus cannot be restored to this moment.', { errors: [{ path: 'time', message }] })
  if (time > now) throw refused(`is in the future; it is now ${isoTime(now)}`)
  if (time < now - REMEMBERED_DAYS * DAY)
    throw refused(`is more than ${REMEMBERED_DAYS} days ago, which is how far back the platform can restore`)
  return time
}

const REFUSALS: { readonly [kind in RecoveryRefusal['kind']]: () => Problem } = {
  unremembered: () =>
    new Problem(
      'point_in_time_unavailable',
      'This platform keeps no earlier states of a corpus. Point-in-time recovery exists only for Cloudflare’s own Durable Objects. Restore a backup instead (docs/backup.md).',
    ),
  early: () =>
    new Problem('invalid', 'The corpus cannot be restored to this moment.', {
      errors: [{ path: 'time', message: 'is before the corpus was created' }],
    }),
  log: () =>
    new Problem('invalid', 'The corpus cannot be restored to this moment.', {
      errors: [{ path: 'time', message: 'is before deletions were logged, so Loam cannot know what should stay deleted' }],
    }),
  moved: () =>
    new Problem(
      'embedding_mismatch',
      'The corpus has been moved to another embedding model since, or is being moved; its vectors from then belong to the other model.',
    ),
}

async function estimateOf(c: Ctx, { uid, name }: CorpusRecord, time: number): Promise<RecoveryEstimate> {
  const found = await objectOf(c).recoveryEstimate(time)
  if (found.kind !== 'estimate') throw REFUSALS[found.kind]()
  const { versionThen, at, version, accepted, commits, documents, deleted, access, actions } = found
  return {
    corpus: name,
    status: 'estimate',
    time: isoTime(time),
    version_then: versionThen,
    committed_at: isoTimeOrNull(at),
    version,
    lost: { commits, documents, actions },
    kept: { deleted, access },
    confirm: bytesToHex(sha256(utf8ToBytes(JSON.stringify([uid, time, version, accepted])))).slice(0, 24),
  }
}

/** The caller may have left meanwhile. What this does not finish, the schedule does. */
async function goOn(c: Ctx, { uid }: CorpusRecord): Promise<void> {
  const object = c.get('world').corpus(uid)
  for (let i = 0; i < LOOKS; i++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK))
    const state = await step(object).catch(() => undefined)
    if (state?.status === 'done' || state?.status === 'refused') return
  }
}

function shown({ name }: CorpusRecord, { id, time, status, replaying, before, version, job }: RecoveryState) {
  return {
    corpus: name,
    status: status === 'done' ? ('restored' as const) : status,
    id,
    time: isoTime(time),
    version_before: before,
    version,
    replaying,
    job,
  }
}
