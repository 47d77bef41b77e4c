/** `loam health`: what the schedule found about a corpus, and whether both sinks hold what they should. People get sentences, and what to do. Plain: name, ok or not, what was found. */
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
      people: formatHealth,
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
  /** The same as a sentence, for people; `text` if absent. */
  readonly said?: string
  /** What to do about it if it is not good. */
  readonly todo?: string
}

/** Sentences, and below those that are not good what to do. */
export const formatHealth = (report: CorpusHealth): string => findingsIn(report).map(formatFinding).join('\n')

const wordFor = (isGood: boolean | null): string => (isGood === null ? 'unknown' : isGood ? 'ok' : 'look')

function formatFinding({ of, isGood, text, said = text, todo }: Finding): string {
  const line = `${wordFor(isGood).padEnd(8)}${of.padEnd(14)}${said}`
  return isGood === false && todo ? `${line}\n${' '.repeat(22)}→ ${todo}` : line
}

const UNSEEN = { isGood: null, text: 'not checked yet', said: 'Not checked yet; Loam does that by itself, a few nodes at a time.' } as const

function nodeFindings({ nodes }: CorpusHealth): readonly Finding[] {
  if (!nodes) return ['texts', 'orphans'].map((of) => ({ of, ...UNSEEN }))
  const { stale, seen, orphans } = nodes
  return [
    {
      of: 'texts',
      isGood: stale === 0,
      text: `${stale} of ${seen} nodes stale`,
      said:
        stale === 0
          ? 'No summary or description is older than what it was written from.'
          : `Of ${many(seen, 'node')}, ${stale} are described by a text that is older than what it was written from.`,
      todo: '`loam reindex --consolidate` writes them again.',
    },
    {
      of: 'orphans',
      isGood: orphans === 0,
      text: String(orphans),
      said: orphans === 0 ? 'Everything in the graph comes from a document.' : `${many(orphans, 'node')} come from no document any more.`,
      todo: '`loam reindex --consolidate` removes them.',
    },
  ]
}

function findingsIn(report: CorpusHealth): readonly Finding[] {
  const { names, owed, quarantined, retries, outbox, sinks, storage, pending, gate } = report
  const again = formatRetries(retries)
  return [
    ...nodeFindings(report),
    {
      of: 'quarantine',
      isGood: quarantined === 0,
      text: many(quarantined, 'document') + again,
      said:
        (quarantined === 0 ? 'Every document was read completely' : `Only part of ${many(quarantined, 'document')} could be read`) + again,
      todo: 'They are found by their words. `loam documents --status partial` lists them; a larger text model can usually read the rest.',
    },
    ...(names === 'outdated'
      ? [{ of: 'names', isGood: false, text: 'found with rules of an earlier release; `loam reindex` finds them again' }]
      : []),
    {
      of: 'pending texts',
      isGood: owed.texts === 0,
      text: String(owed.texts),
      said:
        owed.texts === 0
          ? 'No text waits for a model.'
          : `${many(owed.texts, 'text')} could not be written because the model was unavailable.`,
      todo: 'Loam asks it again by itself. If this lasts, see `loam doctor` and `loam budget`.',
    },
    {
      of: 'outbox',
      isGood: outbox.entries === 0,
      text: `${outbox.entries} to send, ${many(outbox.versions_behind, 'version')} behind`,
      said:
        outbox.entries === 0
          ? 'The vector index and the database have every change.'
          : `The vector index and the database are ${many(outbox.versions_behind, 'version')} behind; ${many(outbox.entries, 'entry', 'entries')} to send.`,
      todo: 'Loam sends it within minutes. If this lasts, the next two lines say why.',
    },
    {
      of: 'vector index',
      isGood: isWell(sinks.index) && sinks.index.refused === 0,
      text: formatIndex(sinks.index),
      todo: 'Until then questions use the vectors that the corpus itself holds.',
    },
    {
      of: 'database',
      isGood: isWell(sinks.model),
      text: formatSink(sinks.model),
      todo: 'Questions are still answered; lists of entities and exports wait.',
    },
    {
      of: 'storage',
      isGood: storage.share < NEARLY_FULL,
      text: `${megabytes(storage.bytes)} of ${megabytes(storage.limit)}`,
      said: `The corpus uses ${megabytes(storage.bytes)} of ${megabytes(storage.limit)}.`,
      todo: 'Delete what you no longer need (`loam forget`), or put new documents into a second corpus.',
    },
    ...(gate
      ? [
          {
            of: 'last gate',
            isGood: gate.promoted,
            text: `${gate.kind} ${gate.promoted ? 'promoted' : 'refused'}`,
            said: `The last ${gate.kind} was ${gate.promoted ? 'accepted' : 'refused'}.`,
            todo: 'The graph was left as it was. `loam probes` shows which questions would have found less.',
          },
        ]
      : []),
    ...(pending
      ? [
          {
            of: 'settings',
            isGood: false,
            text: 'changed since the graph was built',
            said: 'The settings have changed since the graph was built.',
            todo: '`loam reindex` applies them.',
          },
        ]
      : []),
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
