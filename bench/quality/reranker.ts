/** A cross-encoder for the bench: any server with /v1/rerank (LOCAL_MODEL_URL, LOCAL_RERANKER_MODEL). Without one Clue-RAG's own form is not measured. */
import { isFields } from '../../local/workerd/requests'

export type Rerank = (query: string, texts: readonly string[]) => Promise<readonly number[]>

export function rerankerOf(env: NodeJS.ProcessEnv): Rerank | undefined {
  const { LOCAL_MODEL_URL: server, LOCAL_RERANKER_MODEL: model, LOCAL_MODEL_KEY: key } = env
  if (!server || !model) return undefined
  const url = `${server.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/rerank`
  return async (query, documents) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({ model, query, documents, top_n: documents.length }),
      signal: AbortSignal.timeout(120_000),
    })
    if (!reply.ok) throw new Error(`the reranker answered ${reply.status}`)
    const body: unknown = await reply.json()
    const results = isFields(body) && Array.isArray(body.results) ? body.results : []
    const scores = documents.map(() => 0)
    for (const one of results) {
      if (isFields(one) && typeof one.index === 'number' && typeof one.relevance_score === 'number') scores[one.index] = one.relevance_score
    }
    return scores
  }
}
