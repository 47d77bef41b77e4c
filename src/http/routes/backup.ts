/** A corpus as it is, row by row, and back: into the same account or another, in the same state (docs/backup.md). */
import { BACKUP_FORMAT, type BackupHead, backupLine, MAX_BACKUP_PART, restoredSchema } from '../../contract/backups'
import { embeddingModelOf } from '../../core/settings'
import { dedicatedOf, jurisdictionOf, partitionUids } from '../../corpus-uid'
import { addStates } from '../../flows/partitions/backup'
import type { BackupMark, BackupStart } from '../../ports/backup'
import type { CorpusRecord } from '../../ports/catalogue'
import { parsePart } from '../backup-lines'
import { type BackupCursor, backupPart, readBackupCursor } from '../backup-parts'
import { mediaType, readBytes } from '../body'
import { type Ctx, objectOf } from '../context'
import { decode, encode } from '../cursor'
import { isoTime } from '../iso-time'
import { cursor, type Parameter } from '../parameters'
import { nameOf } from '../path'
import { Problem } from '../problem'
import { corpusForPart, showRestored, takePart } from '../restoring'
import { route } from '../route'
import { settingsView } from '../settings'
import { attachmentHeaders, streamLines } from '../stream-lines'

const TYPES: ReadonlySet<string> = new Set(['', 'application/x-ndjson', 'application/jsonl', 'application/json', 'text/plain'])
const UNDIVIDED_FORMAT = 1 // earlier releases read it, too
const MAX_HOOKS = 1000 // more than a corpus may have
const replay: Parameter = {
  name: 'replay',
  in: 'query',
  description:
    'The corpus that was backed up: its later deletions and access changes are applied to the restored one. This needs an admin key for both.',
  schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
}
const example = {
  corpus: 'manuals-2',
  status: 'restored',
  backup: 'b_6f1c0f2a9b3e4c77aa01',
  part: 3,
  digest: '9f2c'.padEnd(64, '0'),
  rows: 18_204,
  version: 12,
  state: '41d0'.padEnd(64, '0'),
  replaying: 0,
  job: 'j_1',
  enter_anew: [{ kind: 'hook', id: 'wh_1', what: 'github' }],
} as const

export const backupRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/backup',
    id: 'backupCorpus',
    tag: 'corpora',
    summary: 'Export a backup: everything a corpus is, with its vectors and decisions, as a stream',
    description:
      'JSON lines in parts of about 4 MiB. If the last line of a part is `{"type":"next", "digest", "cursor"}`, request the next one with that `cursor`; the last part ends with `{"type":"end", "digest", "rows"}`. To resume an interrupted download, cut the file back to the last complete part and continue from its `cursor`. Backups contain no secrets. 503 while the corpus is being worked on, 409 if it has changed since the backup was started.',
    access: ['admin'],
    needsWholeSight: true,
    parameters: [cursor],
    answers: { 200: { description: 'A part.', type: 'application/x-ndjson' } },
    problems: ['invalid', 'conflict', 'overloaded', 'restoring'],
  }).answer(async (c) => {
    const record = c.get('corpus')
    const { hooks } = c.get('world')
    const source = {
      uid: record.uid,
      object: objectOf(c),
      partitions: partitionUids(record.uid).length,
      head: (mark: BackupMark, starts?: readonly BackupStart[]) => headOf(c, record, mark, starts),
      hooks: () => hooks.hooks(record.uid, '', MAX_HOOKS),
    }
    const lines = await backupPart(source, cursorOf(c), encode)
    return {
      response: new Response(streamLines(lines), {
        headers: attachmentHeaders(c, 'application/x-ndjson; charset=utf-8', `${record.name}.backup.jsonl`),
      }),
    }
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:restore',
    id: 'restoreCorpus',
    tag: 'corpora',
    summary: 'Restore one part of a backup; the first creates the corpus',
    description:
      'Send the parts in order, each at most 16 MiB. The digest of each is checked, and sending a part twice changes nothing. Until the last part is in, the corpus answers nothing (409 `restoring`). It is then in the state named in the backup, and a job fills the database and the vector index. `replay` names the corpus that was backed up: documents deleted there since then are deleted here, and their current labels are applied, before anything is answered. Needs an admin key that may create corpora.',
    access: ['admin'],
    makesCorpus: true,
    enters: 'corpus.restore',
    parameters: [replay],
    body: {
      schema: backupLine,
      type: 'application/x-ndjson',
      example: { type: 'part', backup: 'b_1', part: 2, before: '9f2c'.padEnd(64, '0') },
      limit: MAX_BACKUP_PART,
      readBy: 'handler',
    },
    answers: {
      200: { description: 'The part was accepted; others are missing.', schema: restoredSchema },
      202: { description: 'All parts are in.', schema: restoredSchema, example },
    },
    problems: [
      'conflict',
      'embedding_mismatch',
      'unsupported_media_type',
      'no_database',
      'too_many_corpora',
      'corpus_deleted',
      'strategy_unavailable',
    ],
  }).answer(async (c) => {
    if (!TYPES.has(mediaType(c))) throw new Problem('unsupported_media_type', 'Send `application/x-ndjson`.')
    const part = parsePart(await readBytes(c, MAX_BACKUP_PART))
    requireReadable(part.head)
    const record = await corpusForPart(c, nameOf(c, 'corpus'), part)
    const body = await showRestored(c, record, await takePart(c, record, part))
    return body.status === 'restoring' ? { status: 200, body } : { status: 202, body }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/restore',
    id: 'getRestore',
    tag: 'corpora',
    summary: 'Get the progress of a restore',
    access: ['admin'],
    answers: { 200: { description: 'The progress, and the secrets that must be entered again.', schema: restoredSchema, example } },
    problems: ['not_found'],
  }).answer(async (c) => {
    const state = await objectOf(c).restoreState()
    if (!state) throw new Problem('not_found', 'This corpus was not restored from a backup.')
    return { status: 200, body: await showRestored(c, c.get('corpus'), state) }
  }),
]

/** There is no format older than this one. It names columns, so that columns added later have their defaults. */
function requireReadable(head: BackupHead | undefined): void {
  if (!head || head.format <= BACKUP_FORMAT) return
  const message = `is ${head.format}; this release reads up to ${BACKUP_FORMAT}`
  throw new Problem('invalid', 'This backup was made by a newer release.', { errors: [{ path: 'format', message }] })
}

function cursorOf(c: Ctx): BackupCursor | undefined {
  const text = decode(c.req.query('cursor'))
  if (text === '') return undefined
  const found = readBackupCursor(text, c.get('corpus').uid)
  if (found) return found
  const errors = [{ path: 'cursor', message: 'not a cursor of this corpus' }]
  throw new Problem('invalid', 'This cursor does not belong to a backup of this corpus.', { errors })
}

function headOf(c: Ctx, record: CorpusRecord, mark: BackupMark, starts: readonly BackupStart[] = []): BackupHead {
  const { now, version: release } = c.get('world')
  const { name, strategies, settings, budget, audit, defaultAccess, undeleteSeconds = 0, locationHint, uid } = record
  const jurisdiction = jurisdictionOf(uid)
  const objects = starts.map(({ mark: { version, state }, head }) => ({ version, state, head }))
  const [partitions, own] = [objects.slice(0, -1), objects.at(-1)]
  const { version, state } = own
    ? { version: partitions.reduce((sum, one) => sum + one.version, 0), state: addStates(partitions.map((one) => one.state)) }
    : mark
  return {
    type: 'backup',
    format: own ? BACKUP_FORMAT : UNDIVIDED_FORMAT,
    backup: `b_${crypto.randomUUID().replaceAll('-', '')}`,
    corpus: name,
    release,
    taken_at: isoTime(now()),
    version,
    state,
    ...(own ? { partitions, own } : {}),
    embedding: { model: embeddingModelOf(settings)?.id ?? null, dimensions: settings.dimensions },
    config: {
      strategies,
      settings: settingsView(settings),
      budget,
      public: record.public,
      undelete_seconds: undeleteSeconds,
      ...(audit ? { audit } : {}),
      ...(defaultAccess ? { default_access: defaultAccess } : {}),
      ...(own ? { partitions: partitions.length } : {}),
      ...(jurisdiction ? { jurisdiction } : {}),
      ...(locationHint ? { location_hint: locationHint } : {}),
      ...(dedicatedOf(uid) === undefined ? {} : { dedicated: true }),
    },
  }
}
