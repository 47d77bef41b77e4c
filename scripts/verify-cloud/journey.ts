/** Documents are added, found by each strategy, answered with citations that are checked again here, classified, listed and exported. */
import { strategyNames, systemNames } from '../../src/contract/options'
import { type Check, hold, same } from './checks'
import { documents } from './texts'

const SPENDING = 0.009 // dollars the corpus may spend on models: less than a cent
const VISIBLE = 60_000 // ms for changes to reach D1 and Vectorize

const reached: Check = {
  name: 'the service answers, and nobody without a key',
  async run(world) {
    const { status, version } = await world.admin.health()
    same(status, 'ok', 'health')
    same(await world.refused(world.as(undefined).corpora()), 'unauthorized', 'without a key')
    same(await world.refused(world.as('not-a-key').corpora()), 'unauthorized', 'with a wrong key')
    await world.admin.corpora({ limit: 1 })
    return `version ${version}`
  },
}

const takenIn: Check = {
  name: 'documents in, as one version',
  async run(world) {
    await world.create(world.corpus, { strategies: [...systemNames], budget: { usd: SPENDING } })
    const upserts = documents.map(({ id, title, text }) => ({ id, title, text, metadata: { kind: 'verification', length: text.length } }))
    const { job } = await world.corpus.batch({ upserts })
    const { receipt } = await world.done(world.corpus, job)
    same(receipt?.touched.documents, documents.length, 'documents in the receipt')
    const states = await Promise.all(documents.map(({ id }) => world.corpus.document(id)))
    same(
      states.map((one) => [one.document, one.status]),
      documents.map(({ id }) => [id, 'ready']),
      'states',
    )
    same(
      states.map((one) => one.text),
      documents.map(({ text }) => text),
      'texts',
    )
    return `${receipt?.touched.entities} entities, ${receipt?.rows_written} rows, ${((receipt?.ms ?? 0) / 1000).toFixed(1)} s`
  },
}

const published: Check = {
  name: 'D1 and Vectorize are up to date',
  async run(world) {
    const ms = await world.until('the outbox is empty', VISIBLE, async () => (await world.corpus.health()).outbox.entries === 0)
    return `${(ms / 1000).toFixed(1)} s after the job`
  },
}

export const found = (strategy: string): Check => ({
  name: `found by ${strategy}`,
  async run(world) {
    for (const { id, question, fact, text } of documents) {
      const { evidence, degraded } = await world.corpus.search({ query: question, strategy, top_k: 10 })
      same(degraded, [], `what was not as it should be, for “${question}”`)
      const places = evidence.filter((one) => one.document === id)
      hold(
        places.some((one) => text.slice(one.start ?? 0, one.end ?? 0).includes(fact)),
        `“${question}” did not find “${fact}”`,
      )
      for (const one of places)
        if (one.kind === 'passage' || one.kind === 'chunk')
          same(one.text, text.slice(one.start ?? 0, one.end ?? 0), 'evidence and its place')
    }
    return `${documents.length} of ${documents.length} questions`
  },
})

const answered: Check = {
  name: 'answered, each citation letter for letter',
  async run(world) {
    const generators = new Set<string>()
    for (const { id, question } of documents.slice(0, 3)) {
      const { answer, citations, degraded, generator } = await world.corpus.query({ query: question })
      same(degraded, [], 'what was not as it should be')
      hold(citations.length > 0, `“${question}” was answered without citations: ${answer}`)
      const quotes = citations.map((one) => [one.quote, documents.find(({ id }) => id === one.document)?.text.slice(one.start, one.end)])
      hold(
        quotes.every(([quote, text]) => quote === text),
        'a quote differs from its document',
      )
      hold(
        citations.some((one) => one.document === id),
        `“${answer}” does not rest on the document that says so`,
      )
      generators.add(generator)
    }
    return [...generators].join(', ')
  },
}

const streamed: Check = {
  name: 'streamed, from evidence to done',
  async run(world) {
    const events: string[] = []
    let [written, first] = ['', 0]
    const began = Date.now()
    for await (const { event, data } of world.corpus.ask({ query: documents[1]?.question ?? '' })) {
      if (events.at(-1) !== event) events.push(event)
      if (event === 'delta') {
        first ||= Date.now() - began
        written += (data as { readonly text: string }).text
      }
    }
    same([events[0], events.at(-1)], ['retrieval', 'done'], 'first and last event')
    hold(written.trim() !== '' && events.includes('citation') && events.includes('usage'), `only ${events.join(', ')}`)
    return `first words after ${first} ms`
  },
}

const classified: Check = {
  name: 'a text is classified by its examples',
  async run(world) {
    await world.corpus.putLabel('dairy', { examples: ['A hard cheese that ripens in a mine.', 'Wheels of cheese washed with cider.'] })
    await world.corpus.putLabel('boats', { examples: ['A ferry that crosses a lake.', 'The captain carries the post by boat.'] })
    const { label } = await world.corpus.classify({ text: 'The wheel of cheese ripens for twenty months.' })
    same(label, 'dairy', 'the label')
    await world.corpus.removeLabel('boats')
    return 'two labels'
  },
}

const listed: Check = {
  name: 'listed: documents, entities, graph, export',
  async run(world) {
    const { data } = await world.corpus.page({ limit: 100 })
    same(data.map((one) => one.document).sort(), documents.map(({ id }) => id).sort(), 'the list')
    const entities = await world.corpus.entities({ q: 'krause' })
    hold(entities.data.length > 0, 'no entity Krause')
    const { nodes, edges } = await world.corpus.graph({ node: entities.data[0]?.id ?? '', depth: 1 })
    hold(nodes.length > 1 && edges.length > 0, 'Krause has no neighbours')
    const lines = (await (await world.corpus.export()).text()).trim().split('\n')
    for (const { fact } of documents)
      hold(
        lines.some((line) => line.includes(fact)),
        `the export lacks “${fact}”`,
      )
    return `${lines.length} lines`
  },
}

const ownKey: Check = {
  name: 'a key sees its corpus, and only what it may',
  async run(world) {
    const reader = await world.mint(['read'])
    const own = reader.corpus(world.corpus.name)
    await world.until('the key is known', 15_000, async () => (await world.refused(own.info())) === 'accepted')
    same(await world.refused(own.put('x', 'A text.')), 'forbidden', 'writing with a key to read')
    same(await world.refused(reader.corpus(world.edge.name).info()), 'corpus_not_found', 'another corpus')
    return 'read only'
  },
}

export const journey: readonly Check[] = [
  reached,
  takenIn,
  ...strategyNames.map(found),
  answered,
  streamed,
  classified,
  published,
  listed,
  ownKey,
]
