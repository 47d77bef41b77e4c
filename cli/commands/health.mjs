/** `loam health`: what the schedule has found of a corpus, and whether both stores beside it hold what they should. Plain: name, ok or not, what was found. */
import { corpusPath } from '../client.mjs'
import { fields, many } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

const NEARLY = 0.8 // of the storage a corpus may take up

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const name = positionals[0] ?? (await chosen({ client, corpus }))
  const health = await client.call('GET', corpusPath(name, '/health'))
  out.result(health, {
    people: () => findings(health).map(lineOf).join('\n'),
    plain: () =>
      findings(health)
        .map(({ of, good, said }) => fields(of, wordOf(good), said))
        .join('\n'),
  })
}

const wordOf = (good) => (good === null ? 'unknown' : good ? 'ok' : 'look')
const lineOf = ({ of, good, said }) => `${wordOf(good).padEnd(8)}${of.padEnd(14)}${said}`

function findings({ nodes, owed, quarantined, retries, outbox, sinks, storage, pending, gate }) {
  const unseen = 'not looked at yet'
  return [
    { of: 'texts', good: nodes && nodes.stale === 0, said: nodes ? `${nodes.stale} of ${nodes.seen} nodes stale` : unseen },
    { of: 'orphans', good: nodes && nodes.orphans === 0, said: nodes ? String(nodes.orphans) : unseen },
    { of: 'quarantine', good: quarantined === 0, said: many(quarantined, 'document') + retriesSaid(retries) },
    { of: 'owed texts', good: owed.texts === 0, said: String(owed.texts) },
    { of: 'outbox', good: outbox.entries === 0, said: `${outbox.entries} to send, ${many(outbox.versions_behind, 'version')} behind` },
    { of: 'vector index', good: isWell(sinks.index) && sinks.index.refused === 0, said: indexSaid(sinks.index) },
    { of: 'database', good: isWell(sinks.model), said: sinkSaid(sinks.model) },
    { of: 'storage', good: storage.share < NEARLY, said: `${megabytes(storage.bytes)} of ${megabytes(storage.limit)}` },
    ...(gate ? [{ of: 'last gate', good: gate.promoted, said: `${gate.kind} ${gate.promoted ? 'promoted' : 'refused'}` }] : []),
    ...(pending ? [{ of: 'settings', good: false, said: 'others were asked for than the graph was made with' }] : []),
  ]
}

/** A service of an earlier release does not say. */
function retriesSaid({ waiting = 0, given_up: givenUp = 0, next_at: at = null } = {}) {
  const again = at === null ? '' : `; ${many(waiting, 'chunk')} asked about again, next at ${new Date(at).toISOString()}`
  return again + (givenUp > 0 ? `; ${many(givenUp, 'chunk')} given up` : '')
}

const isWell = ({ fault }) => fault === null

function sinkSaid({ fault, missing, foreign }) {
  const now = fault
    ? `failing since ${new Date(fault.at).toISOString()} (code ${fault.code}, ${many(fault.tries, 'try', 'tries')})`
    : 'told'
  return missing + foreign > 0 ? `${now}; put right so far: ${missing} missing, ${foreign} foreign` : now
}

function indexSaid(index) {
  const refused = index.refused > 0 ? `; ${many(index.refused, 'vector')} refused` : ''
  const delay = index.delay_ms === null ? '' : `; visible after ${(index.delay_ms / 1000).toFixed(1)} s`
  return sinkSaid(index) + refused + delay
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`
