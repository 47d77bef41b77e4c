/**
 * Backup and restore of a corpus in partitions: object by object, the partitions first, then the corpus's own. Restored, none of them answers
 * before all are complete and have been checked against what the backup says of each.
 */
import { hexOf, noSum, plus, sumOf } from '../../core/graph/state'
import { partOf } from '../../core/joint/part-of'
import type { Actor } from '../../ports/audit'
import {
  type BackupPage,
  type BackupStart,
  OWN_OBJECT,
  type Replay,
  type RestoreOutcome,
  type RestorePart,
  type RestoreState,
  type Withdrawals,
} from '../../ports/backup'
import type { CorpusObject } from '../../ports/object'
import type { Divided } from './part'

const objectsOf = ({ whole, parts }: Divided): readonly CorpusObject[] => [...parts, whole]

/** Whatever is read of an object in this state, afterwards, is what all of them had when the last of these was read. */
export async function backupStarts(divided: Divided): Promise<readonly BackupStart[] | null> {
  const starts = await Promise.all(objectsOf(divided).map((one) => one.backupStarts()))
  return starts.every((one) => one !== null) ? starts.flat() : null
}

export function backupPage({ whole, parts }: Divided, from: Parameters<CorpusObject['backupPage']>[0], object = 0): Promise<BackupPage> {
  return (parts[object] ?? whole).backupPage(from)
}

/** Repeating a part changes nothing: whatever it did not get to is done then. */
export async function restore(divided: Divided, part: RestorePart, by?: Actor): Promise<RestoreOutcome> {
  const { whole, parts } = divided
  const { objects, of, ...rest } = part
  if (objects) {
    const refused = await close(divided, part, objects)
    if (refused) return refused
  }
  if (!objects && !of) return refuse('the backup is of a corpus without partitions')
  const { partition, first } = of ?? { partition: 0, first: 1 }
  const object = partition === OWN_OBJECT ? whole : parts[partition]
  const before = await restoreState(divided)
  const expected = (before?.part ?? 0) + 1
  if (!object || part.part > expected || part.part < first) return refuse(`part ${expected} is expected next`)
  if (before && part.part === expected && part.before !== before.digest) return refuse(`part ${part.part} does not follow the previous one`)
  const { state: _, takenAt: __, replay, ...own } = rest
  const number = part.part - first + 1
  const held = part.end ? { isHeld: true as const } : {}
  const outcome = await object.restore({ ...own, part: number, before: number === 1 ? '' : part.before, ...held })
  if (outcome.kind === 'refused') return outcome
  if (part.end && partition === OWN_OBJECT) {
    const refused = await open(divided, part, replay, by)
    if (refused) return refused
  }
  return { kind: 'taken', state: (await restoreState(divided)) ?? outcome.state }
}

type Refused = Extract<RestoreOutcome, { readonly kind: 'refused' }>
const refuse = (why: string): Refused => ({ kind: 'refused', why })
const refusalIn = (all: readonly RestoreOutcome[]): Refused | undefined => all.find((one) => one.kind === 'refused')

/** From now on, no object answers. */
async function close(divided: Divided, part: RestorePart, goals: NonNullable<RestorePart['objects']>): Promise<Refused | undefined> {
  const objects = objectsOf(divided)
  if (goals.length !== objects.length)
    return refuse(`the backup is of ${goals.length - 1} partitions, and this corpus has ${divided.parts.length}`)
  const { backup, takenAt } = part
  const begin = { backup, part: 0, before: '', digest: '', sections: [], ...(takenAt === undefined ? {} : { takenAt }) }
  return refusalIn(await Promise.all(objects.map((one, i) => one.restore({ ...begin, ...goals[i] }))))
}

/** All of them are complete. The corpus's own is the last, so that it says how far all are. */
async function open({ whole, parts }: Divided, part: RestorePart, replay: Replay | undefined, by?: Actor): Promise<Refused | undefined> {
  const job = `j_${part.digest.slice(0, 32)}`
  const opening = (isEntered: boolean) => ({ ...part, part: 0, sections: [], opens: { job, isEntered } })
  const bare = ({ objects: _, of: __, end: ___, replay: ____, ...one }: RestorePart): RestorePart => one
  const opened = await Promise.all(
    parts.map((one, i) => {
      const share = replay && shareOf(replay, i, parts.length)
      return one.restore({ ...bare(opening(false)), ...(share ? { replay: share } : {}) }, by)
    }),
  )
  return refusalIn(opened) ?? refusalIn([await whole.restore(bare(opening(true)), by)])
}

function shareOf({ deleted, access }: Replay, part: number, count: number): Replay {
  const isHere = ({ document }: { readonly document: string }): boolean => partOf(document, count) === part
  return { deleted: deleted.filter(isHere), access: access.filter(isHere) }
}

/** Null: it was not restored. Parts are numbered through all objects. */
export async function restoreState(divided: Divided): Promise<RestoreState | null> {
  const all = await Promise.all(objectsOf(divided).map((one) => one.restoreState()))
  const known = all.flatMap((one) => one ?? [])
  const [first] = known
  if (!first) return null
  const isDone = known.length === all.length && known.every((one) => one.isDone)
  const partitions = known.slice(0, divided.parts.length)
  const sum = (of: (one: RestoreState) => number): number => known.reduce((total, one) => total + of(one), 0)
  return {
    backup: first.backup,
    part: sum((one) => one.part),
    digest: known.findLast((one) => one.part > 0)?.digest ?? '',
    rows: sum((one) => one.rows),
    isDone,
    takenAt: first.takenAt,
    replaying: sum((one) => one.replaying),
    version: isDone ? partitions.reduce((total, one) => total + (one.version ?? 0), 0) : null,
    state: isDone ? addStates(partitions.flatMap((one) => one.state ?? [])) : null,
    job: isDone ? first.job : null,
  }
}

/** The state of the whole: the sum of those of its partitions. */
export const addStates = (states: readonly string[]): string => hexOf(states.map(sumOf).reduce(plus, noSum()))

/** Of all partitions, whichever they were in. */
export async function withdrawals({ parts }: Divided, since: number): Promise<Withdrawals> {
  const all = await Promise.all(parts.map((one) => one.withdrawals(since)))
  const from = all.flatMap((one) => one.from ?? [])
  return {
    from: from.length > 0 ? Math.max(...from) : null,
    deleted: all.flatMap((one) => one.deleted),
    access: all.flatMap((one) => one.access),
  }
}
