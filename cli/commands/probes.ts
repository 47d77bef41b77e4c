/**
 * `loam probes`: pinned questions with the documents that must be found, what they found last, and what the last gate said.
 * Plain: probe, number, question, documents · missing, number, documents that are not there · found, number, strategy, share, place · weighed, number, strategy, share and place before,
 * share and place after · recall, strategy, share · gate, kind, promoted or refused, strategy, before, after.
 */
import type { CorpusHealth, Finding, NewProbes, Probe, Probes } from '../../src/client/client'
import { command, text, type Values } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many, safe } from '../output'
import { wholeNumber } from '../question'

const options = {
  ...service,
  ...corpus,
  expect: text('a document that must be found; may be repeated', { multiple: true }),
  top: text('how many pieces of evidence to check (10)', { short: 'k' }),
  tolerance: text('how much of its recall a strategy may lose (0.02)'),
}
type Given = Values<typeof options>

export const probes = command(
  {
    usage: 'probes [add <question> | remove <number>]',
    verbs: ['add', 'remove'],
    summary: 'pin questions that no change to the graph may lose, and show what they found last',
    maxWords: Number.POSITIVE_INFINITY,
    options,
    examples: ["loam probes add 'Who may approve a refund?' --expect refunds.md", 'loam probes', 'loam probes remove 2'],
  },
  async ({ values, positionals: [action = 'list', ...words], out, env }) => {
    const change = changeFor(action, words, values)
    const guarded = await findCorpus(connect({ values, env }))
    if (change) await guarded.changeProbes(change)
    const [pinned, health] = await Promise.all([guarded.probes(), guarded.health()])
    const view = { ...pinned, recall: health.probes.recall, at: health.probes.at, gate: health.gate }
    out.result(view, { people: formatForPeople, plain: formatPlain })
  },
)

type Change = (now: Probes) => NewProbes

/** The new list of pinned probes, however often this is called; undefined if nothing should change. */
function changeFor(action: string, words: readonly string[], values: Given): Change | undefined {
  const bounds = readBounds(values)
  switch (action) {
    case 'list':
      return Object.keys(bounds).length > 0 ? (now) => ({ ...now, ...bounds }) : undefined
    case 'add': {
      const query = words.join(' ').trim()
      const { expect = [] } = values
      if (query === '') throw misuse("which question? loam probes add 'Who …?' --expect <document>")
      if (expect.length === 0) throw misuse('which document must be found? --expect <document>')
      return (now) => ({ ...now, ...bounds, probes: [...now.probes.filter((one) => one.query !== query), { query, expect }] })
    }
    case 'remove': {
      const n = wholeNumber('number', words[0] ?? '')
      let meant: Probe | undefined // the one that has the number when it is first looked at, whatever number it has later
      return (now) => {
        meant ??= now.probes[n - 1]
        if (!meant)
          throw misuse(`there is no probe ${n}; there ${now.probes.length === 1 ? 'is' : 'are'} ${many(now.probes.length, 'probe')}`)
        const removed = meant
        return { ...now, ...bounds, probes: now.probes.filter((one) => !isSame(one, removed)) }
      }
    }
    default:
      throw misuse(`"${action}": expected add, remove or nothing`)
  }
}

const isSame = (a: Probe, b: Probe): boolean => a.query === b.query && a.expect.join('\n') === b.expect.join('\n')

function readBounds({ top, tolerance }: Given): Pick<NewProbes, 'k' | 'tolerance'> {
  const share = Number(tolerance ?? 0)
  if (!(share >= 0 && share <= 1)) throw misuse(`--tolerance ${tolerance}: expected a share, 0 to 1`)
  return { ...(top === undefined ? {} : { k: wholeNumber('top', top) }), ...(tolerance === undefined ? {} : { tolerance: share }) }
}

type Shown = Probes & Pick<CorpusHealth['probes'], 'recall' | 'at'> & Pick<CorpusHealth, 'gate'>
type Gate = NonNullable<CorpusHealth['gate']>

const percent = (share: number): string => `${Math.round(share * 100)} %`

function formatForPeople({ probes, k, tolerance, recall, at, gate }: Shown): string {
  if (probes.length === 0)
    return "No probes are pinned, so every change to the graph is accepted. loam probes add 'Who …?' --expect <document>"
  const found = Object.entries(recall).map(([strategy, one]) => `  ${strategy}  ${percent(one)}`)
  return [
    ...probes.map((probe, n) =>
      [`${n + 1}. ${safe(probe.query)}`, probe.expect.map(safe).join(', '), ...formatMissing(probe), ...formatResults(probe)].join('\n   '),
    ),
    `\nAmong the first ${many(k, 'piece')} of evidence; a strategy may lose ${percent(tolerance)}.`,
    at === null ? 'They have not been asked yet.' : `Found by the schedule, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}:`,
    ...found,
    ...(gate ? [`The last ${gate.kind} was ${gate.promoted ? 'accepted' : 'refused'}.`, ...formatGate(gate)] : []),
  ].join('\n')
}

/** A service of an earlier release does not say. */
const formatMissing = ({ missing = [], expect }: Pick<Probe, 'expect'> & Partial<Probe>): readonly string[] =>
  missing.length === 0
    ? []
    : [
        `not in the corpus: ${missing.map(safe).join(', ')}${missing.length === expect.length ? '; the probe does not count until one is' : ''}`,
      ]

/** Of one probe: places by strategy now, and where the last gate saw them change. */
function formatResults({ last, gate }: Probe): readonly string[] {
  const now = Object.entries(last?.found ?? {}).map(([strategy, one]) => `${strategy} ${formatPlace(one)}`)
  const moved = Object.entries(gate?.found ?? {}).flatMap(([strategy, { before, after }]) =>
    formatPlace(before) === formatPlace(after) ? [] : `${strategy} ${formatPlace(before)} before, ${formatPlace(after)} after`,
  )
  return [...(now.length > 0 ? [now.join(' · ')] : []), ...(moved.length > 0 ? [`at the last ${gate?.kind}: ${moved.join(' · ')}`] : [])]
}

const formatPlace = ({ recall, rank }: Finding): string =>
  rank === null ? 'not found' : `#${rank}${recall < 1 ? ` (${percent(recall)})` : ''}`

const formatGate = ({ recall }: Gate): readonly string[] =>
  Object.entries(recall).map(([strategy, { before, after }]) => `  ${strategy}  ${percent(before)} before, ${percent(after)} after`)

const formatPlain = ({ probes, recall, gate }: Shown): string =>
  [
    ...probes.map(({ query, expect }, n) => fields('probe', n + 1, query, expect.join(','))),
    ...probes.flatMap(({ missing = [] }: Partial<Probe>, n) => (missing.length > 0 ? [fields('missing', n + 1, missing.join(','))] : [])),
    ...probes.flatMap(({ last }, n) =>
      Object.entries(last?.found ?? {}).map(([strategy, one]) => fields('found', n + 1, strategy, one.recall, one.rank)),
    ),
    ...probes.flatMap(({ gate: weighed }, n) =>
      Object.entries(weighed?.found ?? {}).map(([strategy, { before, after }]) =>
        fields('weighed', n + 1, strategy, before.recall, before.rank, after.recall, after.rank),
      ),
    ),
    ...Object.entries(recall).map(([strategy, one]) => fields('recall', strategy, one)),
    ...Object.entries(gate?.recall ?? {}).map(([strategy, { before, after }]) =>
      fields('gate', gate?.kind, gate?.promoted ? 'promoted' : 'refused', strategy, before, after),
    ),
  ].join('\n')
