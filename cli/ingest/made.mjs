/** The corpus documents go into; one that is not there yet is made, and said to be new. */
import { corpusPath } from '../client.mjs'

/** @param {{client: object, corpus: string, out: object, config?: object}} what `config` is for one that is new */
export async function made({ client, corpus, out, config = {} }) {
  try {
    return await client.call('GET', corpusPath(corpus))
  } catch (error) {
    if (error.code !== 'corpus_not_found') throw error
    out.note(`${corpus} is new`)
    return client.call('PUT', corpusPath(corpus), { body: config })
  }
}
