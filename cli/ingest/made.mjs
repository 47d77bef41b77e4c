/** The corpus documents go into; one that is not there yet is made, and said to be new. */
import { corpusPath } from '../client.mjs'

export async function made(client, corpus, out, config = {}) {
  try {
    return await client.call('GET', corpusPath(corpus))
  } catch (error) {
    if (error.code !== 'corpus_not_found') throw error
    out.note(`${corpus} is new`)
    return client.call('PUT', corpusPath(corpus), { body: config })
  }
}
