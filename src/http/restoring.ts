/**
 * A part of a backup is accepted: the first part creates the corpus, every part goes to the corpus's object, and webhooks go to the
 * catalogue with the keys.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { BackupHead, Restored } from '../contract/backups'
import { corpusSchema } from '../contract/corpora'
import { type Mapping, presetNames, type SignatureForm } from '../contract/hooks'
import type { Page } from '../contract/pages'
import { OWN_OBJECT, type Replay, type RestoreState, type Section } from '../ports/backup'
import type { CorpusRecord } from '../ports/catalogue'
import type { HookRecord } from '../ports/hooks'
import type { OutboundObject } from '../ports/outbound'
import type { SourceRecord } from '../ports/sources'
import { corpusFor } from './access'
import { callAs } from './acting'
import type { ParsedPart } from './backup-lines'
import { actorOf, type Ctx } from './context'
import { type CorpusInput, forgetCached, saveCorpus } from './corpus-change'
import { isoTime } from './iso-time'
import { Problem } from './problem'
import { faultsOf } from './schema-faults'

const ALL_HOOKS = 1000 // more than a corpus may have
const SKEW = 5000 // ms: the backup uses the Worker's clock, the log the object's

/** The corpus that the part belongs to; the first part creates it if there is none. */
export async function corpusForPart(c: Ctx, name: string, { head }: ParsedPart): Promise<CorpusRecord> {
  const world = c.get('world')
  const seen = c.get('principal')?.corpora?.get(name)
  const known = await world.catalogue.corpus(name, seen)
  if (known && (await world.corpus(known.uid).restoreState())) return known
  if (!head) throw new Problem('conflict', 'No backup is being restored under this name. Send its first part first.')
  requireSameModel(c, head)
  await replayFor(c, name, Date.parse(head.taken_at)) // refused before anything is made
  const config = corpusSchema.safeParse(head.config)
  if (!config.success) {
    const errors = config.error.issues.flatMap(faultsOf).map(({ path, message }) => ({ path: `config.${path}`, message }))
    throw new Problem('invalid', 'This release does not accept the settings of this backup; see `errors`.', { errors })
  }
  if (head.partitions && config.data.partitions !== head.partitions.length)
    throw new Problem('invalid', 'This backup says two numbers of partitions.', {
      errors: [{ path: 'config.partitions', message: `${head.partitions.length} have rows in the backup` }],
    })
  if (known && !(await isEmpty(c, known)))
    throw new Problem('conflict', 'A corpus of this name exists and is not empty. Restore under another name.')
  const made = world.hasReplication ? config.data : withoutReplicas(config.data)
  const saved = (await saveCorpus(c, name, made, seen)) ?? (await saveCorpus(c, name, made, seen))
  if (!saved) throw new Problem('conflict', 'This corpus is being created and deleted at the same time. Try again.')
  forgetCached(c, saved.record)
  return saved.record
}

/** The number of replicas depends on the deployment, and this one can have none. */
function withoutReplicas(config: CorpusInput): CorpusInput {
  const { settings } = config
  return settings?.replicas ? { ...config, settings: { ...settings, replicas: { ...settings.replicas, count: 0 } } } : config
}

async function isEmpty(c: Ctx, { uid }: CorpusRecord): Promise<boolean> {
  const view = await c.get('world').corpus(uid).view('all')
  return view === null || view.version === 0
}

/** Vectors of two models cannot be compared. */
function requireSameModel(c: Ctx, { embedding }: BackupHead): void {
  const { id, dimensions } = c.get('world').models.embedding
  if (embedding.dimensions === dimensions && (embedding.model === null || embedding.model === id)) return
  const detail = `The backup has vectors of ${embedding.model ?? 'another model'} (${embedding.dimensions}), but this deployment uses ${id} (${dimensions}). Restore it where that model is available, or import its documents (docs/migrating.md).`
  throw new Problem('embedding_mismatch', detail)
}

export async function takePart(c: Ctx, record: CorpusRecord, part: ParsedPart): Promise<RestoreState> {
  const object = callAs(c.get('world').corpus(record.uid), actorOf(c))
  const { backup, digest, before, end, head, of } = part
  const sections = part.sections.filter(({ table }) => table !== 'hook')
  const own = { backup, part: part.part, before, digest, sections, ...(of ? { of } : {}) }
  const goals = head?.partitions && head.own ? { objects: [...head.partitions, head.own].map(({ state, head }) => ({ state, head })) } : {}
  const begun = head ? { state: head.state, takenAt: Date.parse(head.taken_at), ...goals } : undefined
  const isLast = end && (of === undefined ? !head?.partitions : of.partition === OWN_OBJECT)
  const replay = isLast ? await replayFor(c, record.name, begun?.takenAt ?? (await object.restoreState())?.takenAt ?? 0) : undefined
  const outcome = await object.restore({ ...own, ...begun, ...(end ? { end } : {}), ...(replay ? { replay } : {}) })
  if (outcome.kind === 'refused') throw new Problem('conflict', `This part cannot be restored: ${outcome.why}.`)
  for (const section of part.sections) if (section.table === 'hook') await addHooks(c, record, section)
  return outcome.state
}

/** What was deleted or relabelled since the backup, according to the corpus that `replay` names. Undefined: none is named. */
async function replayFor(c: Ctx, own: string, takenAt: number): Promise<Replay | undefined> {
  const name = c.req.query('replay')
  if (name === undefined) return undefined
  const origin = await corpusFor(c, name, 'admin')
  if (origin.name === own) throw refusedReplay('is the corpus that is being restored')
  const { from, ...replay } = await c
    .get('world')
    .corpus(origin.uid)
    .withdrawals(takenAt - SKEW)
  if (from !== null && from > takenAt)
    throw refusedReplay(`has logged deletions only since ${isoTime(from)}, but the backup was taken at ${isoTime(takenAt)}`)
  return replay
}

const refusedReplay = (message: string): Problem =>
  new Problem('invalid', 'Later deletions cannot be replayed.', { errors: [{ path: 'replay', message }] })

/** Under new addresses, always the same for this corpus, and without a secret: they accept nothing until they are given one. */
async function addHooks(c: Ctx, { uid }: CorpusRecord, { columns, rows }: Section): Promise<void> {
  for (const row of rows) {
    const cell = (column: string) => row[columns.indexOf(column)] ?? null
    const preset = presetNames.find((one) => one === cell('preset'))
    if (!preset) throw new Problem('invalid', 'The backup has a webhook of a kind that this release does not know.')
    const [mapping, access, signature, source] = ['mapping', 'access', 'signature', 'source'].map(cell)
    const id = `wh_${bytesToHex(sha256(utf8ToBytes(`${uid} ${String(cell('id'))}`))).slice(0, 32)}`
    const record: HookRecord = {
      id,
      uid,
      preset,
      mapping: typeof mapping === 'string' ? (JSON.parse(mapping) as Mapping) : null,
      signature: typeof signature === 'string' ? (JSON.parse(signature) as SignatureForm) : null,
      source: typeof source === 'string' ? source : null,
      secrets: [],
      created: Number(cell('created')),
      access: typeof access === 'string' ? (JSON.parse(access) as string[]) : [],
    }
    await c.get('world').hooks.add(record)
  }
}

export async function showRestored(c: Ctx, { uid, name }: CorpusRecord, state: RestoreState): Promise<Restored> {
  const { backup, part, digest, rows, isDone, replaying, version, job } = state
  const world = c.get('world')
  const endpoints = isDone && replaying === 0 ? (await world.outbound(uid).endpoints()).filter(({ secrets }) => secrets.length === 0) : []
  const hooks = isDone ? (await world.hooks.hooks(uid, '', ALL_HOOKS)).filter(({ secrets }) => secrets.length === 0) : []
  const locked = isDone && replaying === 0 ? await lockedSources(world.outbound(uid)) : []
  return {
    corpus: name,
    status: !isDone ? 'restoring' : replaying > 0 ? 'replaying' : 'restored',
    ...{ backup, part, digest, rows, version, state: state.state, replaying, job },
    enter_anew: [
      ...endpoints.map(({ id, url }) => ({ kind: 'endpoint' as const, id, what: url })),
      ...hooks.map(({ id, preset }) => ({ kind: 'hook' as const, id, what: preset })),
      ...locked.map(({ id, url }) => ({ kind: 'source' as const, id, what: url })),
    ],
  }
}

const PAGE = 200 // sources requested at once

async function lockedSources(object: OutboundObject): Promise<readonly SourceRecord[]> {
  const found: SourceRecord[] = []
  for (let after: string | null = null; ; ) {
    const page: Page<SourceRecord> = await object.sources(after, PAGE, 'all')
    found.push(...page.data.filter(({ credential }) => credential === 'missing'))
    if (page.next_cursor === null) return found
    after = page.next_cursor
  }
}
