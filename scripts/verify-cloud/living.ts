/**
 * What happens without a request, and what costs money: signed webhooks, pages, maintenance, the budget, and the models that were called.
 */
import { createHmac } from 'node:crypto'
import { type Check, hold, Skipped, same } from './checks'
import { documents } from './texts'

const PAGE = 'https://example.com/' // small, stable, and made for this
const FETCHED = 60_000 // ms
const MINUTES = 60_000 // ms

const webhook: Check = {
  name: 'a signed webhook is accepted once, a forged one never',
  async run(world) {
    const { hook, secret, url } = await world.corpus.hooks.create({ preset: 'standard' })
    same(new URL(url).pathname, `/v1/hooks/${hook}`, 'where senders post to')
    const body = JSON.stringify({ id: 'mail', text: 'The post of Tarvik now goes by balloon, says Runa Aske.' })
    const send = async (key: string) => {
      const stamp = String(Math.floor(Date.now() / 1000))
      const mac = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
        .update(`msg_${hook}.${stamp}.${body}`)
        .digest('base64')
      const headers = { 'webhook-id': `msg_${hook}`, 'webhook-timestamp': stamp, 'webhook-signature': `v1,${mac}` }
      const response = await world.send('POST', `/v1/hooks/${hook}`, { body, headers })
      return {
        status: response.status,
        ...((await response.json()) as { readonly job?: string; readonly status?: unknown; readonly code?: string }),
      }
    }
    same((await send(Buffer.from('somebody else’s secret').toString('base64'))).code, 'signature_invalid', 'a forged delivery')
    await world.done(world.corpus, (await send(secret)).job)
    same((await send(secret)).status, 'duplicate', 'the same delivery again')
    const { evidence } = await world.corpus.search({ query: 'How does the post of Tarvik go now?', top_k: 3 })
    hold(
      evidence.some((one) => one.document === 'mail'),
      'what the webhook brought is not found',
    )
    await world.done(world.corpus, (await world.corpus.remove('mail')).job)
    await world.corpus.hooks.remove(hook)
    return 'taken in, found, removed'
  },
}

const page: Check = {
  name: 'a page is fetched and becomes a document',
  async run(world) {
    if (world.local) throw new Skipped('skipped: a local Loam does not reach the internet')
    const { source } = (await world.corpus.sources.create({ url: PAGE, every: '1d' })) as { readonly source: string }
    await world.until(`${PAGE} is a document`, FETCHED, async () => {
      const { data } = await world.corpus.page({ limit: 100 })
      return data.some((one) => one.url === PAGE && one.status === 'ready')
    })
    await world.corpus.sources.remove(source)
    for (const { document, url } of (await world.corpus.page({ limit: 100 })).data)
      if (url === PAGE) await world.done(world.corpus, (await world.corpus.remove(document)).job)
    return PAGE
  },
}

const upkeep: Check = {
  name: 'upkeep runs, and health is reported',
  async run(world) {
    await world.done(world.corpus, (await world.corpus.upkeep('consolidate')).job)
    const { last_tend, outbox, quarantined, owed } = await world.corpus.health()
    same([quarantined, owed.texts], [0, 0], 'documents and texts that models could not do')
    const minutes = last_tend === null ? undefined : Math.round((Date.now() - last_tend) / MINUTES)
    return `${minutes === undefined ? 'the schedule has not run yet' : `tended ${minutes} min ago`}, ${outbox.entries} entries on their way`
  },
}

const budget: Check = {
  name: 'a budget that is used up stops what costs, and work continues when it is raised',
  async run(world) {
    const { usage } = await world.edge.info()
    await world.edge.create({ budget: { tokens: usage.in + usage.out + usage.embedded } })
    const put = () => world.edge.put('dear', documents[0]?.text ?? '')
    const answer = await put().catch((error: { readonly code: string }) => error)
    if ('code' in answer) same(answer.code, 'over_budget', 'over the budget')
    else {
      const { job = '' } = answer
      await world.until('the job is paused', 20_000, async () => (await world.edge.job(job)).status === 'paused_budget')
    }
    await world.edge.create({ budget: { tokens: null } })
    const job = 'code' in answer ? (await put()).job : answer.job
    await world.done(world.edge, job)
    return 'code' in answer ? 'refused, then taken in' : 'paused, then finished'
  },
}

const STAGES = { text: ['extract', 'summarize', 'report', 'answer'], reranker: ['rerank'], embedding: ['embed', 'question'] }

const models: Check = {
  name: 'each model that is configured has answered',
  async run(world) {
    // The re-ranker is only used automatically where probes have shown a gain.
    const { degraded } = await world.corpus.search({ query: documents[0]?.question ?? '', options: { rerank: 0.5 } })
    same(degraded, [], 'what was not as it should be')
    const { stages, prices } = await world.corpus.usage()
    const calls = (names: readonly string[]): number => names.reduce((sum, name) => sum + (stages[name]?.calls ?? 0), 0)
    const { in: read, reranked, embedded } = prices.usd_per_million // a model with a price is configured; a self-hosted one has none
    hold(embedded === 0 || calls(STAGES.embedding) > 0, 'the embedding model was never called')
    hold(read === 0 || calls(STAGES.text) > 0, 'the text model was never called')
    hold(reranked === 0 || calls(STAGES.reranker) > 0, 'the reranker was never called')
    return Object.entries(STAGES)
      .map(([role, names]) => `${role} ${calls(names)}`)
      .join(', ')
  },
}

export const living: readonly Check[] = [webhook, page, upkeep, budget, models]
