/** The sample corpus that comes with the page: seven short speeches, in the public domain. */
import { LoamError } from '../../../src/client/client'
import { follow } from '../jobs/followed'
import { corpusAt } from '../shared/loam'
import { optional } from '../strategies/strategies'
import type { Text } from './text-batches'

export const SAMPLE = 'sample'

/** Small chunks and segments, so that few texts already make several layers. */
const SETTINGS = { chunk_tokens: 300, chunk_overlap: 30, erarag: { min: 3, max: 6 } }

/** Creates the corpus with every strategy in this version, and submits the texts as one batch, if the visitor agrees. Resolves when they are accepted. */
export async function loadSample(corpus: string, agreed: (texts: readonly Text[]) => Promise<boolean>): Promise<void> {
  const upserts: Text[] = await (await fetch('/sample.json')).json()
  if (corpus === SAMPLE) await makeCorpus(corpus, optional)
  if (!(await agreed(upserts))) return
  const { job } = await corpusAt(corpus).batch({ upserts })
  if (job) void follow(corpus, job, `${upserts.length} sample documents`).catch(() => undefined)
}

async function makeCorpus(corpus: string, strategies: readonly string[]): Promise<void> {
  try {
    await corpusAt(corpus).create({ strategies, settings: SETTINGS })
  } catch (error) {
    if (!(error instanceof LoamError) || error.code !== 'strategy_unavailable') throw error
    const lacking = (error.more.errors ?? []).map(({ message }) => message.split(' ')[0])
    const rest = strategies.filter((name) => !lacking.includes(name))
    if (rest.length === strategies.length) throw error
    await makeCorpus(corpus, rest)
  }
}
