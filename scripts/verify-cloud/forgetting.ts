/** A deleted document is gone from every place that a stranger can look into. */
import { strategyNames } from '../../src/contract/options'
import { type Check, hold, same } from './checks'
import { forgotten } from './texts'

const TOLD = 60_000 // ms for D1 and Vectorize

const everywhere: Check = {
  name: 'forgotten: no strategy, answer, list, graph or export has it',
  async run(world) {
    const { id, word, question } = forgotten
    await world.done(world.corpus, (await world.corpus.remove(id)).job)
    same(await world.refused(world.corpus.document(id)), 'document_not_found', 'the document')
    for (const strategy of strategyNames) {
      const { evidence } = await world.corpus.search({ query: question, strategy, top_k: 50 })
      hold(!evidence.some((one) => one.document === id || one.text.includes(word)), `${strategy} still finds it`)
    }
    hold(!(await world.corpus.query({ query: question })).answer.includes(word), 'an answer still contains it')
    hold(!(await world.corpus.page({ limit: 100 })).data.some((one) => one.document === id), 'it is still in the list')
    await world.until('the outbox is empty', TOLD, async () => (await world.corpus.health()).outbox.entries === 0)
    same((await world.corpus.entities({ q: word.toLowerCase() })).data.length, 0, 'entities of it')
    hold(!(await (await world.corpus.export()).text()).includes(word), 'the export still contains it')
    return `${strategyNames.length} strategies`
  },
}

const dropped: Check = {
  name: 'nothing is left behind',
  async run(world) {
    same(await world.clear(), [], 'what could not be removed')
    for (const corpus of [world.corpus, world.edge]) same(await world.refused(corpus.info()), 'corpus_not_found', corpus.name)
    const { data } = await world.admin.keys({ limit: 100 })
    hold(!data.some((one) => one.name === world.corpus.name), 'the key is still there')
    return 'corpora, webhook, key'
  },
}

export const forgetting: readonly Check[] = [everywhere]
export const leaving: readonly Check[] = [dropped]
