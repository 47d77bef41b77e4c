/** `loam init [corpus]`: remembers where Loam is and with which key, and makes the corpus if it is not there. */
import { corpusPath } from '../client.mjs'
import { fields } from '../output.mjs'
import { connected, remember } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const { client, url, key, corpus: known } = connected({ values, env })
  const corpus = positionals[0] ?? known
  const { version } = await client.call('GET', '/healthz')
  const made = corpus ? await ensured(client, corpus, configOf(values)) : undefined
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

function configOf({ strategies, 'undelete-seconds': seconds }) {
  return {
    ...(strategies ? { strategies: strategies.split(',').map((name) => name.trim()) } : {}),
    ...(seconds === undefined ? {} : { undelete_seconds: Number(seconds) }),
  }
}

/** What is there is left as it is, unless something is asked of it. One that is deleted is not there. */
async function ensured(client, corpus, config) {
  const there = await client.call('GET', corpusPath(corpus)).catch((error) => {
    if (error.status !== 404) throw error
  })
  if (there && !['deleted', 'deleting'].includes(there.status) && Object.keys(config).length === 0) return { view: there, created: false }
  return { view: await client.call('PUT', corpusPath(corpus), { body: config }), created: !there }
}
