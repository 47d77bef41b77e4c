/**
 * Re-rankers for the bench: a cross-encoder of any server with /v1/rerank (LOCAL_MODEL_URL, LOCAL_RERANKER_MODEL; without one Clue-RAG's own form is not
 * measured), or MiniLM's late interaction in its place.
 */
import { isFields } from '../../local/workerd/requests'
import { lateInteraction } from '../lib/encoders'

export type Rerank = (query: string, texts: readonly string[]) => Promise<readonly number[]>

/** `server`, `late` or `none`. */
export function rerankerNamed(name: string, env: NodeJS.ProcessEnv): Rerank | undefined {
  if (name === 'none') return undefined
  if (name === 'late') return lateReranker(env.TEACHER_PYTHON ?? 'python3')
  const server = rerankerOf(env)
  if (name !== 'server' || !server) throw new Error(`no such re-ranker: ${name} (a server needs LOCAL_MODEL_URL and LOCAL_RERANKER_MODEL)`)
  return server
}

export function usualReranker(env: NodeJS.ProcessEnv): string {
  return rerankerOf(env) ? 'server' : env.TEACHER_PYTHON ? 'late' : 'none'
}

const WAY = /^([^\n]*\n)?\((.*)\)\n([\s\S]*)$/ // title, how it was reached, passage

/** The way and the passage are read apart: each is read once, in whatever texts it stands. */
function lateReranker(python: string): Rerank {
  const score = lateInteraction(python)
  return (query, texts) =>
    score(
      query,
      texts.map((text) => {
        const [, title = '', way, passage] = WAY.exec(text) ?? []
        return way === undefined || passage === undefined ? [text] : [title + passage, way]
      }),
    )
}

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
