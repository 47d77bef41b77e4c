/** A text model and a reranker behind the OpenAI protocol: it says nothing that does not stand in what it is shown, in the form asked for. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Wish {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
  readonly response_format?: { readonly json_schema?: { readonly schema: { readonly properties: { readonly [name: string]: unknown } } } }
}
interface Ranking {
  readonly query: string
  readonly documents: readonly string[]
}

const words = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
const sentences = (text: string): string[] => text.match(/[^.!?\n]+[.!?]/g)?.map((one) => one.trim()) ?? [text.trim()]
const overlap = (text: string, of: ReadonlySet<string>): number => new Set(words(text).filter((word) => of.has(word))).size / (of.size + 1)

function written({ messages, response_format: form }: Wish): string {
  const shown = messages.at(-1)?.content ?? ''
  const material = [...shown.matchAll(/<data \S+>\n([\s\S]*?)\n<\/data/g)].map(([, text = '']) => text)
  const question = /^Question: (.*)/.exec(shown)?.[1]
  if (question !== undefined) return answer(question, material[0] ?? '')
  const wanted = Object.keys(form?.json_schema?.schema.properties ?? {})
  const [first = ''] = sentences(material[0] ?? '')
  if (wanted.length === 0) return first
  const names = [...new Set((material[0] ?? '').match(/\b[A-Z]\w+(?: [A-Z]\w+)*/g) ?? ['Thing'])]
  const said: { readonly [name: string]: unknown } = {
    knowledge_units: sentences(material[0] ?? ''),
    entities: names.map((name) => ({ name, type: 'thing', description: first })),
    relations: names.slice(1).map((target) => ({ source: names[0], target, description: first, strength: 5 })),
    title: names[0],
    summary: first,
    rating: 5,
    findings: [{ summary: first, explanation: first }],
    points: [],
    label: best(sentences(material[1] ?? ''), (material[0] ?? '').split('\n').filter(Boolean))?.split(' | ')[0],
  }
  return JSON.stringify(Object.fromEntries(wanted.map((name) => [name, said[name] ?? first])))
}

function answer(question: string, sources: string): string {
  const asked = new Set(words(question))
  const all = sources.split(/^(?=\[\d+\] )/m).flatMap((source) => {
    const mark = /^\[\d+\]/.exec(source)?.[0] ?? ''
    return sentences(source.slice(mark.length)).map((text) => ({ text: text.split('\n').at(-1) ?? text, mark }))
  })
  const found = all.sort((a, b) => overlap(b.text, asked) - overlap(a.text, asked))[0]
  return found ? `${found.text} ${found.mark}` : 'Insufficient information.'
}

function best(texts: readonly string[], among: readonly string[]): string | undefined {
  const wanted = new Set(texts.flatMap(words))
  return [...among].sort((a, b) => overlap(b, wanted) - overlap(a, wanted))[0]
}

function reply(path: string, body: unknown): { readonly type: string; readonly text: string } | undefined {
  const usage = { prompt_tokens: 100, completion_tokens: 20 }
  if (path.endsWith('/rerank')) {
    const { query, documents } = body as Ranking
    const asked = new Set(words(query))
    const results = documents.map((text, index) => ({ index, relevance_score: overlap(text, asked) }))
    return { type: 'application/json', text: JSON.stringify({ results }) }
  }
  if (!path.endsWith('/chat/completions')) return undefined
  const wish = body as Wish
  const content = written(wish)
  if (!wish.stream) return { type: 'application/json', text: JSON.stringify({ choices: [{ message: { content } }], usage }) }
  const deltas = content.match(/.{1,12}/gs) ?? []
  const events = [...deltas.map((part) => ({ choices: [{ delta: { content: part } }] })), { choices: [], usage }]
  return { type: 'text/event-stream', text: `${events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n` }
}

/** It has no embeddings: those are Loam's own. */
export async function modelServer(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const said = reply(request.url ?? '', JSON.parse(body || '{}'))
    response.statusCode = said ? 200 : 404
    response.setHeader('content-type', said?.type ?? 'application/json').end(said?.text ?? '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, stop: () => server.close().closeAllConnections() }
}
