/** `loam init [corpus]`: remembers where Loam is and with which key, and makes the corpus if it is not there. */
import { corpusPath } from '../client.mjs'
import { fields } from '../output.mjs'
import { connected, remember } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const { client, url, key, corpus: known } = connected({ values, env })
  const corpus = positionals[0] ?? known
  const { version } = await client.call('GET', '/healthz')
  const strategies = values.strategies ? { strategies: values.strategies.split(',').map((name) => name.trim()) } : {}
  const made = corpus ? await ensured(client, corpus, strategies) : undefined
  if (!corpus) await client.call('GET', '/v1/corpora', { query: { limit: 1 } }) // is the key a key?
  const path = remember(env, { url, ...(key ? { key } : {}), ...(corpus ? { corpus } : {}) })
  out.result(
    { url, version, remembered: path, ...(made ? { corpus, created: made.created, strategies: made.view.strategies } : {}) },
    {
      people: () =>
        `Loam ${version} at ${url}${made ? `\nCorpus ${corpus}: ${made.view.strategies.join(', ')}` : ''}\nRemembered in ${path}`,
      plain: () => fields(url, version, corpus),
    },
  )
}

/** What is there is left as it is, unless strategies are named. */
async function ensured(client, corpus, config) {
  const there = await client.call('GET', corpusPath(corpus)).catch((error) => {
    if (error.status !== 404) throw error
  })
  if (there && !config.strategies) return { view: there, created: false }
  return { view: await client.call('PUT', corpusPath(corpus), { body: config }), created: !there }
}
