/** `loam init [corpus]`: remembers where Loam is and the key, and creates the corpus if it does not exist. */
import { type Corpus, type CorpusClient, LoamError, type NewCorpus } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect } from '../connect'
import { service } from '../options'
import { fields } from '../output'
import { remember } from '../settings'
import { optional } from '../strategy-names'

export const init = command(
  {
    usage: 'init [corpus]',
    summary: 'remember where Loam is, and create the corpus',
    maxWords: 1,
    options: {
      ...service,
      strategies: text(`${optional()}: the strategies the corpus uses`),
      'undelete-seconds': text('seconds in which it can be undeleted (0)'),
      replicas: text('read replicas at most, 0 to 32 (docs/replicas.md)'),
      partitions: text('partitions of a larger corpus, 2 to 64; only when it is created; later: `loam repartition` (docs/partitions.md)'),
      dedicated: flag('with a database and a vector index of its own; only when it is created (docs/deploy.md)'),
    },
    examples: ['loam init birds', 'loam init birds --url https://loam.example.workers.dev --key loam_… --strategies erarag,gorag'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const { loam, url, key, corpus: known } = connect({ values, env })
    const corpus = named ?? known
    const { version } = await loam.health()
    const config = configOf(values)
    const made = corpus ? await ensure(loam.corpus(corpus), config) : undefined
    if (!corpus) await loam.corpora({ limit: 1 }) // is the key a key?
    const path = remember(env, { url, ...(key ? { key } : {}), ...(corpus ? { corpus } : {}) })
    const view = made && { corpus, created: made.isNew, strategies: made.view.strategies }
    out.result(
      { url, version, remembered: path, ...view },
      {
        people: () =>
          `Loam ${version} at ${url}${made ? `\nCorpus ${corpus}: ${made.view.strategies.join(', ')}` : ''}\nRemembered in ${path}`,
        plain: () => fields(url, version, corpus),
      },
    )
  },
)

interface Wanted {
  readonly strategies?: string | undefined
  readonly 'undelete-seconds'?: string | undefined
  readonly replicas?: string | undefined
  readonly partitions?: string | undefined
  readonly dedicated?: boolean | undefined
}

/** Names and bounds are the service's to know. */
function configOf({ strategies, 'undelete-seconds': seconds, replicas, partitions, dedicated }: Wanted): NewCorpus {
  return {
    ...(strategies ? { strategies: strategies.split(',').map((name) => name.trim()) as NewCorpus['strategies'] } : {}),
    ...(seconds === undefined ? {} : { undelete_seconds: Number(seconds) }),
    ...(partitions === undefined ? {} : { partitions: Number(partitions) }),
    ...(dedicated ? { dedicated } : {}),
    ...(replicas === undefined ? {} : { settings: { replicas: { count: Number(replicas) } } }),
  }
}

/** An existing corpus is left as it is, unless options ask for a change. A deleted one does not exist. */
async function ensure(corpus: CorpusClient, config: NewCorpus): Promise<{ readonly view: Corpus; readonly isNew: boolean }> {
  const there = await corpus.info().catch((error: unknown) => {
    if (!(error instanceof LoamError && error.status === 404)) throw error
    return undefined
  })
  const isUsable = there && !['deleted', 'deleting'].includes(there.status)
  if (isUsable && Object.keys(config).length === 0) return { view: there, isNew: false }
  return { view: await corpus.create(config), isNew: !there }
}
