/** Every strategy through the object, the Workflow and the sinks. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { stateHash } from '../../src/core/graph/fingerprint'
import { optionalStrategies, strategies } from '../../src/core/strategies/registry'
import type { Corpus } from '../../src/worker'
import { config, doc, find, newCorpus, put, remove, settled } from './corpora'

const TOPICS = ['herons', 'glaciers', 'looms', 'violins', 'harbours', 'beehives']
const documents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const topic = TOPICS[n % TOPICS.length]
    const other = TOPICS[(n + 1) % TOPICS.length]
    return doc(
      `d${n}`,
      `Report ${n} describes ${topic} near Lake Arbor${n}. Anna Berg counted ${n * 3} of them. They differ from ${other} in Port Ellis.`,
      {
        title: `Report ${n}`,
      },
    )
  })
const ALL = optionalStrategies.filter((name) => strategies.has(name))
/** Whose graph is a function of documents and replies alone. ArchRAG regroups communities locally between consolidations: its tolerance is stated in its rules. */
const EXACT = ALL.filter((name) => name !== 'archrag')
const built = (corpus: { uid: string }) => (env as unknown as { CORPUS: DurableObjectNamespace }).CORPUS.getByName(corpus.uid)

async function hashOf(corpus: { uid: string }): Promise<string> {
  return runInDurableObject(built(corpus), (object) => stateHash((object as InstanceType<typeof Corpus>).lines()))
}

describe('strategies', () => {
  it('[S1] each answers with evidence that leads to passages, on the version it names', async () => {
    const { corpus } = await newCorpus(ALL)
    const job = await put(corpus, ...documents(0, 40))
    expect(job.status).toBe('succeeded')
    for (const strategy of ['keyword', 'vector', 'hybrid', 'auto', ...ALL]) {
      const result = await find(corpus, 'Who counted violins near Lake Arbor3?', strategy, { topK: 8 })
      if (result.kind !== 'evidence') throw new Error(`${strategy}: ${result.kind}`)
      expect([strategy, result.evidence.some((one) => one.document !== null), result.version]).toEqual([
        strategy,
        true,
        (await corpus.view())?.version,
      ])
    }
  })

  it('[S213] a batch, the same documents one by one in another order, and a rebuild give the same graph', async () => {
    const some = documents(0, 24)
    const one = await newCorpus(EXACT)
    await put(one.corpus, ...some)
    const two = await newCorpus(EXACT)
    await put(two.corpus, ...some.slice(12).reverse())
    for (const each of some.slice(0, 12)) await put(two.corpus, each)
    expect(await hashOf(two)).toBe(await hashOf(one))
    const before = await hashOf(one)
    const rebuilt = await one.corpus.maintain('rebuild', {})
    if (rebuilt.kind === 'accepted') await settled(one.corpus, rebuilt.job)
    expect(await hashOf(one)).toBe(before)
  })

  it('[S219] a document put and deleted leaves the graph as it was', async () => {
    const made = await newCorpus(ALL)
    await put(made.corpus, ...documents(0, 20))
    const before = await hashOf(made)
    await put(made.corpus, ...documents(20, 23))
    expect(await hashOf(made)).not.toBe(before)
    await remove(made.corpus, 'd20', 'd21', 'd22')
    expect(await hashOf(made)).toBe(before)
  })

  it('[S1] a strategy that is enabled later is built from what is there', async () => {
    // How many documents at a time a graph derived anew is given depends on how long they take.
    const late = await newCorpus([])
    await put(late.corpus, ...documents(0, 20))
    const early = await newCorpus(EXACT)
    await put(early.corpus, ...documents(0, 20))
    const switchedOn = async (names: readonly string[]) => {
      await late.corpus.configure(config(late.uid, names))
      const [job] = (await late.corpus.jobs(null, 1)).data
      expect((await settled(late.corpus, job?.job ?? '')).status).toBe('succeeded')
    }
    await switchedOn(EXACT)
    expect(await hashOf(late)).toBe(await hashOf(early))
    await switchedOn(ALL)
    const built = (await late.corpus.view())?.counts.communities ?? 0
    expect(ALL.length === EXACT.length || built > 0).toBe(true)
  })
})

describe('a tiny corpus', () => {
  it('[S1] of one document answers a question that shares no word with it', async () => {
    const { corpus } = await newCorpus(ALL)
    await put(corpus, doc('a', 'A storm brought heavy rain to the valley.'))
    const near = { passage: [{ id: await passageOf(corpus), score: 0.1 }] }
    const result = await find(corpus, 'quite another thing', 'auto', { near })
    expect(result.kind === 'evidence' && result.evidence[0]?.document).toBe('a')
  })
})

async function passageOf(corpus: Awaited<ReturnType<typeof newCorpus>>['corpus']): Promise<string> {
  const result = await find(corpus, 'storm', 'keyword')
  return (result.kind === 'evidence' && result.evidence[0]?.id) || ''
}
