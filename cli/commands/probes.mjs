/**
 * `loam probes`: pinned questions with the documents that must be found, what they found last, and what the last gate said.
 * Plain: probe, number, question, documents · found, number, strategy, share, place · weighed, number, strategy, share and place before,
 * share and place after · recall, strategy, share · gate, kind, promoted or refused, strategy, before, after.
 */
import { corpusPath } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { fields, many, safe } from '../output.mjs'
import { wholeNumber } from '../request.mjs'
import { chosen, connected } from '../settings.mjs'

const TRIES = 5 // each fails only because somebody else's change was taken in

export async function run({ values, positionals, out, env }) {
  const [action = 'list', ...words] = positionals
  const change = changeOf(action, words, values)
  const { client, corpus } = connected({ values, env })
  const name = await chosen({ client, corpus })
  const path = corpusPath(name, '/probes')
  if (change) await changed(client, path, change)
  const [pinned, health] = await Promise.all([client.call('GET', path), client.call('GET', corpusPath(name, '/health'))])
  out.result({ ...pinned, recall: health.probes.recall, at: health.probes.at, gate: health.gate }, { people, plain })
}

/** They are put all at once, on condition that nobody pinned meanwhile: else the same is done to what is pinned now. */
async function changed(client, path, change) {
  for (let left = TRIES; ; left--) {
    const now = await client.call('GET', path)
    const { probes, k, tolerance } = change(now)
    const body = { probes: probes.map(({ query, expect }) => ({ query, expect })), k, tolerance }
    try {
      return await client.call('PUT', path, { body, ifMatch: now.revision })
    } catch (error) {
      if (error.code !== 'precondition_failed' || left <= 1) throw error
    }
  }
}

/** What becomes of what is pinned, however often it is asked; undefined where nothing shall. */
function changeOf(action, words, values) {
  const bounds = boundsOf(values)
  switch (action) {
    case 'list':
      return Object.keys(bounds).length > 0 ? (now) => ({ ...now, ...bounds }) : undefined
    case 'add': {
      const query = words.join(' ').trim()
      const { expect = [] } = values
      if (query === '') throw misuse("which question? loam probes add 'Who …?' --expect <document>")
      if (expect.length === 0) throw misuse('--expect: which document must be found?')
      return (now) => ({ ...now, ...bounds, probes: [...now.probes.filter((one) => one.query !== query), { query, expect }] })
    }
    case 'remove': {
      const n = wholeNumber('number', words[0] ?? '')
      let meant // the one that has the number when it is first looked at, whatever number it has later
      return (now) => {
        meant ??= now.probes[n - 1]
        if (!meant) throw misuse(`there ${now.probes.length === 1 ? 'is' : 'are'} ${many(now.probes.length, 'probe')}`)
        return { ...now, ...bounds, probes: now.probes.filter((one) => !same(one, meant)) }
      }
    }
    default:
      throw misuse(`"${action}": say add, remove or nothing`)
  }
}

const same = (a, b) => a.query === b.query && a.expect.join('\n') === b.expect.join('\n')

function boundsOf({ top, tolerance }) {
  const share = Number(tolerance ?? 0)
  if (!(share >= 0 && share <= 1)) throw misuse(`--tolerance ${tolerance}: say a share, 0 to 1`)
  return { ...(top === undefined ? {} : { k: wholeNumber('top', top) }), ...(tolerance === undefined ? {} : { tolerance: share }) }
}

const share = (n) => `${Math.round(n * 100)} %`

function people({ probes, k, tolerance, recall, at, gate }) {
  if (probes.length === 0)
    return "No probes are pinned; every change of the graph is let through. loam probes add 'Who …?' --expect <document>"
  const found = Object.entries(recall).map(([strategy, one]) => `  ${strategy}  ${share(one)}`)
  return [
    ...probes.map((probe, n) => [`${n + 1}. ${safe(probe.query)}`, probe.expect.map(safe).join(', '), ...results(probe)].join('\n   ')),
    `\nAmong the first ${many(k, 'piece')} of evidence; a strategy may lose ${share(tolerance)}.`,
    at === null
      ? 'The schedule has not asked them yet.'
      : `Found by the schedule, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}:`,
    ...found,
    ...(gate ? [`The last ${gate.kind} was ${gate.promoted ? 'let through' : 'refused'}.`, ...gateLines(gate)] : []),
  ].join('\n')
}

/** Of one probe: places by strategy now, and where the last gate saw them change. */
function results({ last, gate: weighed }) {
  const now = Object.entries(last?.found ?? {}).map(([strategy, one]) => `${strategy} ${placed(one)}`)
  const moved = Object.entries(weighed?.found ?? {}).flatMap(([strategy, { before, after }]) =>
    placed(before) === placed(after) ? [] : `${strategy} ${placed(before)} before, ${placed(after)} after`,
  )
  return [...(now.length > 0 ? [now.join(' · ')] : []), ...(moved.length > 0 ? [`at the last ${weighed.kind}: ${moved.join(' · ')}`] : [])]
}

const placed = ({ recall, rank }) => (rank === null ? 'not found' : `#${rank}${recall < 1 ? ` (${share(recall)})` : ''}`)

const gateLines = ({ recall }) =>
  Object.entries(recall).map(([strategy, { before, after }]) => `  ${strategy}  ${share(before)} before, ${share(after)} after`)

const plain = ({ probes, recall, gate }) =>
  [
    ...probes.map(({ query, expect }, n) => fields('probe', n + 1, query, expect.join(','))),
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
      fields('gate', gate.kind, gate.promoted ? 'promoted' : 'refused', strategy, before, after),
    ),
  ].join('\n')
