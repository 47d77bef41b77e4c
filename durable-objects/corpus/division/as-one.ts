/**
 * The own object of a corpus that was made without partitions, and divided since. Who has not heard of that calls it as if it had the documents, and is
 * refused, so that they read again where these are; who has heard calls it by `asWhole`.
 */
import { MOVED } from '../../../src/partition-layout'
import type { CorpusContext } from '../store'
import { hasLeftAlone } from './closed'

type Call = (...args: readonly unknown[]) => unknown

/** What concerns the object whatever it has: its deletion is not among it, since there are partitions to be deleted with it. */
const ANYWAY: ReadonlySet<string> = new Set([
  ...['layout', 'move', 'takeReports', 'reserveFor', 'recover', 'restoreState', 'tend'],
  ...['openTasks', 'commit', 'release'], // a runner that was started before finds nothing
  ...['follow', 'copy', 'leave', 'promote'],
])

/** What was read or written while the documents left may be incomplete: these calls are made again. The others are about what has stayed. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  ...[
    'view',
    'accept',
    'maintain',
    'migration',
    'migrate',
    'health',
    'size',
    'receipts',
    'documents',
    'document',
    'documentFile',
    'chunks',
    'correctChunk',
  ],
  ...[
    'changes',
    'setAccess',
    'setLanguage',
    'seen',
    'retrieve',
    'filters',
    'putFilter',
    'changeFilter',
    'verify',
    'links',
    'entity',
    'around',
  ],
  ...['probes', 'pinned', 'decisions', 'dataOf', 'sources', 'source', 'claimSource', 'askSource', 'removeSource', 'plannedFor', 'provided'],
  ...['figures', 'conversation', 'earlierTurns', 'describing', 'keptAnswer', 'withdrawals', 'backupStarts', 'backupPage'],
])

/** The calls, made as to the only object of a corpus. */
export function asOne<T extends object>(host: { readonly context: CorpusContext | undefined }, calls: T): T {
  const isLeft = (): boolean => host.context !== undefined && hasLeftAlone(host.context)
  const wrapped = Object.entries(calls).map(([name, call]) => {
    if (ANYWAY.has(name) || typeof call !== 'function') return [name, call]
    const made = async (...args: readonly unknown[]): Promise<unknown> => {
      if (isLeft()) throw new Error(MOVED)
      const answer = await (call as Call)(...args)
      if (OF_DOCUMENTS.has(name) && isLeft()) throw new Error(MOVED)
      return answer
    }
    return [name, made]
  })
  return Object.fromEntries(wrapped) as T
}

export function callByName(calls: object, name: string, args: readonly unknown[]): unknown {
  const call: unknown = Object.hasOwn(calls, name) ? Reflect.get(calls, name) : undefined
  if (typeof call !== 'function') throw new Error(`corpus: no call ${name}`)
  return (call as Call)(...args)
}
