/** `loam health`: what the schedule found about a corpus, and whether both sinks hold what they should. Plain: name, ok or not, what was found. */
import type { CorpusHealth } from '../../src/client/client'
import { command } from '../command'
import { connect, findCorpus } from '../connect'
import { corpus, service } from '../options'
import { fields, many } from '../output'

const NEARLY_FULL = 0.8 // of the storage a corpus may take up

export const health = command(
  {
    usage: 'health [corpus]',
    summary: 'show the health of a corpus, and whether the vector index and the database are complete',
    maxWords: 1,
    options: { ...service, ...corpus },
    examples: ['loam health birds', 'loam health birds --json'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const surveyed = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    out.result(await surveyed.health(), {
      people: (report) => findingsIn(report).map(formatFinding).join('\n'),
      plain: (report) =>
        findingsIn(report)
          .map(({ of, isGood, text }) => fields(of, wordFor(isGood), text))
          .join('\n'),
    })
  },
)

interface Finding {
  readonly of: string
  /** Null: not checked yet. */
  readonly isGood: boolean | null
  readonly text: string
}

const wordFor = (isGood: boolean | null): string => (isGood === null ? 'unknown' : isGood ? 'ok' : 'look')
const formatFinding = ({ of, isGood, text }: Finding): string => `${wordFor(isGood).padEnd(8)}${of.padEnd(14)}${text}`

function findingsIn({ nodes, names, owed, quarantined, retries, outbox, sinks, storage, pending, gate }: CorpusHealth): readonly Finding[] {
  const unseen = 'not checked yet'
  return [
    { of: 'texts', isGood: nodes && nodes.stale === 0, text: nodes ? `${nodes.stale} of ${nodes.seen} nodes stale` : unseen },
    { of: 'orphans', isGood: nodes && nodes.orphans === 0, text: nodes ? String(nodes.orphans) : unseen },
    { of: 'quarantine', isGood: quarantined === 0, text: many(quarantined, 'document') + formatRetries(retries) },
    ...(names === 'outdated'
      ? [{ of: 'names', isGood: false, text: 'found with rules of an earlier release; `loam reindex` finds them again' }]
      : []),
    { of: 'pending texts', isGood: owed.texts === 0, text: String(owed.texts) },
    { of: 'outbox', isGood: outbox.entries === 0, text: `${outbox.entries} to send, ${many(outbox.versions_behind, 'version')} behind` },
    { of: 'vector index', isGood: isWell(sinks.index) && sinks.index.refused === 0, text: formatIndex(sinks.index) },
    { of: 'database', isGood: isWell(sinks.model), text: formatSink(sinks.model) },
    { of: 'storage', isGood: storage.share < NEARLY_FULL, text: `${megabytes(storage.bytes)} of ${megabytes(storage.limit)}` },
    ...(gate ? [{ of: 'last gate', isGood: gate.promoted, text: `${gate.kind} ${gate.promoted ? 'promoted' : 'refused'}` }] : []),
    ...(pending ? [{ of: 'settings', isGood: false, text: 'changed since the graph was built' }] : []),
  ]
}

/** A service of an earlier release does not say. */
function formatRetries({ waiting = 0, given_up: givenUp = 0, next_at: at = null }: Partial<CorpusHealth['retries']> = {}): string {
  const again = at === null ? '' : `; ${many(waiting, 'chunk')} to be asked about again, next at ${new Date(at).toISOString()}`
  return again + (givenUp > 0 ? `; ${many(givenUp, 'chunk')} given up` : '')
}

type Sink = CorpusHealth['sinks']['model']

const isWell = ({ fault }: Sink): boolean => fault === null

function formatSink({ fault, missing, foreign }: Sink): string {
  const now = fault
    ? `failing since ${new Date(fault.at).toISOString()} (code ${fault.code}, ${many(fault.tries, 'try', 'tries')})`
    : 'up to date'
  return missing + foreign > 0 ? `${now}; repaired so far: ${missing} missing, ${foreign} foreign` : now
}

function formatIndex(index: CorpusHealth['sinks']['index']): string {
  const refused = index.refused > 0 ? `; ${many(index.refused, 'vector')} refused` : ''
  const delay = index.delay_ms === null ? '' : `; visible after ${(index.delay_ms / 1000).toFixed(1)} s`
  return formatSink(index) + refused + delay
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
