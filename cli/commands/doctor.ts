/**
 * `loam doctor`: checks whether everything that Loam needs is there, and says what to do if not. Plain: what, ok or look, what was found. Exits with 1 if
 * something needs attention.
 */
import { type Loam, LoamError } from '../../src/client/client'
import { command } from '../command'
import { all, type Connection, connect } from '../connect'
import { toFailure } from '../failure'
import { service } from '../options'
import { fields, many } from '../output'
import { table } from '../table'

const MIN_NODE = 20

interface Found {
  readonly of: string
  readonly isGood: boolean
  readonly text: string
}

export const doctor = command(
  {
    usage: 'doctor',
    summary: 'check that everything Loam needs is there, and say what to do if it is not',
    maxWords: 0,
    options: service,
    examples: ['loam doctor', 'loam doctor --url https://loam.example.workers.dev'],
  },
  async ({ values, out, env }) => {
    const found: Found[] = []
    for await (const one of examine(connect({ values, env }))) found.push(one)
    out.result(found, {
      people: (rows) =>
        table(
          ['', '', ''],
          rows.map(({ of, isGood, text }) => [isGood ? '✓' : '✗', of, text]),
          { ...out, columns: Number.POSITIVE_INFINITY }, // advice is not cut
        ),
      plain: (rows) => rows.map(({ of, isGood, text }) => fields(of, isGood ? 'ok' : 'look', text)).join('\n'),
    })
    if (found.some(({ isGood }) => !isGood)) process.exitCode = 1
  },
)

/** Ends at the first that all later ones need. */
async function* examine({ loam, url }: Connection): AsyncGenerator<Found> {
  const node = Number(process.versions.node.split('.')[0])
  yield {
    of: 'node',
    isGood: node >= MIN_NODE,
    text: `${process.versions.node}${node >= MIN_NODE ? '' : `; ${MIN_NODE} or newer is needed`}`,
  }
  const service = await attempt('service', async () => `Loam ${(await loam.health()).version} at ${url}`)
  yield service
  if (!service.isGood) return
  const key = await attempt('key', async () => describeKey(await loam.ownKey()))
  yield key
  if (!key.isGood) return
  yield await attempt('models', async () => describeModels(await loam.models()))
  yield* examineCorpora(loam)
}

async function* examineCorpora(loam: Loam): AsyncGenerator<Found> {
  const corpora = await all((paging) => loam.corpora(paging))
  if (corpora.length === 0) yield { of: 'corpora', isGood: true, text: 'none yet; `loam init <corpus>` creates one' }
  for (const { corpus, status, counts } of corpora) {
    const health = await attempt(corpus, async () => {
      const { quarantined, owed, sinks } = await loam.corpus(corpus).health()
      const troubles = [
        ...(quarantined > 0 ? [`${many(quarantined, 'document')} in quarantine`] : []),
        ...(owed.texts > 0 ? [`${many(owed.texts, 'text waits', 'texts wait')} for the model`] : []),
        ...(sinks.index.refused > 0 ? [`the vector index refuses ${sinks.index.refused}`] : []),
      ]
      return `${status}, ${many(counts?.documents ?? 0, 'document')}${troubles.length > 0 ? `; ${troubles.join(', ')}: loam health ${corpus}` : ''}`
    })
    yield { ...health, isGood: health.isGood && !health.text.includes('loam health') }
  }
}

/** A key that may not ask is not a fault of the service: the output says what it may not see. */
async function attempt(of: string, look: () => Promise<string>): Promise<Found> {
  try {
    return { of, isGood: true, text: await look() }
  } catch (error) {
    if (error instanceof LoamError && error.code === 'forbidden') return { of, isGood: true, text: 'this key may not see it' }
    const failure = toFailure(error)
    if (!failure) throw error
    return { of, isGood: false, text: failure.message }
  }
}

type Key = Awaited<ReturnType<Loam['ownKey']>>
const describeKey = ({ scopes, corpora }: Key): string =>
  `may ${scopes.join(', ')}${corpora.includes('*') ? '' : `, of ${corpora.join(', ') || 'no corpus'}`}`

type Models = Awaited<ReturnType<Loam['models']>>
const describeModels = ({ running }: Models): string => running.map(({ role, model }) => `${role}: ${model}`).join('; ')
