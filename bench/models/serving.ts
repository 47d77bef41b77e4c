/** Models of this machine behind the product's own adapter, run by the process that `npm start` has for them. */
import { mkdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { workersAi } from '../../src/adapters/workers-ai'
import type { Message, Models } from '../../src/ports/models'

const SECONDS = 3600 // a reply may take: eight at once took 1,000 on two cores at a load of 15, and one given up is paid for twice
const DIMENSIONS = 16 // nothing here looks at vectors
const VECTOR = Array.from({ length: DIMENSIONS }, (_, i) => (i === 0 ? 1 : 0))
const SILENT_WINDOW = 8192 // tokens: of the models of the catalogue

interface Running {
  readonly url: string
  readonly key: string
  readonly pid: number
  readonly models: readonly { readonly id: string; readonly window: number }[]
  stop(): Promise<void>
}

export interface Serving {
  /** `json` false: as with a server that has no JSON mode, so that the form is asked for in words. */
  models(id: string, json?: boolean): Models
  /** Seconds of processor time they have taken; undefined where the system doesn't say. */
  processor(): number | undefined
  stop(): Promise<void>
}

/** Fetches what is not here, as `npm start -- --text-model` does. `together`: replies that a model writes at once. */
async function started(names: readonly string[], together: number, say: (text: string) => void): Promise<Running> {
  const root = process.cwd()
  const folder = join(root, '.loam', 'bench-models')
  mkdirSync(folder, { recursive: true })
  // Not bundled: it reads files that lie beside it.
  const path = join(root, 'scripts/lib/models/own-models.mjs')
  const { startOwnModels } = (await import(pathToFileURL(path).href)) as {
    startOwnModels(wanted: readonly object[], around: object): Promise<Running>
  }
  const wanted = names.map((word) => ({ word, kind: 'text', option: '--models' }))
  return startOwnModels(wanted, { env: { ...process.env, LOAM_MODEL_SEQUENCES: String(together) }, say, root, folder })
}

export async function serve(names: readonly string[], together: number, say: (text: string) => void): Promise<Serving> {
  const running = await started(names, together, say)
  const windows = new Map(running.models.map(({ id, window }) => [id, window]))
  return {
    models(id, json = true) {
      const window = windows.get(id)
      if (window === undefined) throw new Error(`${id} does not run`)
      const run = async (model: string, inputs: unknown): Promise<unknown> => {
        const { response_format: format, ...asked } = inputs as { readonly response_format?: { readonly json_schema: unknown } }
        if (format && !json) throw new Error(NO_JSON)
        const schema = format
          ? { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: format.json_schema } } }
          : {}
        return complete(running, { model, ...asked, ...schema })
      }
      return adapter(run, id, window)
    },
    processor: () => processorSeconds(running.pid),
    stop: running.stop,
  }
}

const TICKS = 100 // of Linux' clock in a second

/** Of a process, all its threads together (proc(5)). */
function processorSeconds(pid: number): number | undefined {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return ((user ?? 0) + (system ?? 0)) / TICKS
  } catch {
    return undefined
  }
}

const NO_JSON = '5025: This model does not support JSON Schema.'

/** SHA-256 of the weights, by name. */
export function weightsOf(names: readonly string[]): { readonly [model: string]: string } {
  const path = join(process.cwd(), 'scripts/lib/models/models.json')
  const all = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly [name: string]: { readonly files: readonly { readonly sha256: string }[] }
  }
  return Object.fromEntries(names.map((name) => [name, all[name]?.files[0]?.sha256 ?? 'a file of your own']))
}

/** Models that say nothing: for what is kept of them. */
export async function silent(): Promise<Serving> {
  const run = async (): Promise<never> => {
    throw new Error('no model runs')
  }
  return { models: (id) => adapter(run, id, SILENT_WINDOW), processor: () => undefined, stop: async () => undefined }
}

function adapter(run: (model: string, inputs: unknown) => Promise<unknown>, id: string, window: number): Models {
  const embedding = { id: 'hash', dimensions: DIMENSIONS, window: 512 }
  const models = workersAi(
    { ai: { run }, takesSignal: false },
    { embedding, text: { id, window }, writingMs: SECONDS * 1000, reranker: null },
  )
  return { ...models, embed: async (texts) => ({ vectors: texts.map(() => VECTOR), spent: { in: 0, out: 0, embedded: 0 } }) }
}

/** As an OpenAI-compatible server answers; what it refuses is an error of the binding. */
async function complete(running: Running, body: object): Promise<unknown> {
  return json(await post(running, body))
}

/** Not by fetch, which gives up after five minutes without a header: a whole reply has none until it is written. */
async function post({ url, key }: Running, body: object): Promise<IncomingMessage> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const asked = request(`${url}/v1/chat/completions`, { method: 'POST', headers, signal: AbortSignal.timeout(SECONDS * 1000) }, resolve)
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
  if (reply.statusCode !== 200) throw new Error(reply.statusCode === 413 ? '3006: too large' : `3043: ${reply.statusCode}`)
  return reply
}

interface Asked {
  readonly messages: readonly Message[]
  readonly tokens: number
  readonly schema?: unknown
}

/** A piece of a stream, and the milliseconds since the one before it (of the first: since it was asked for). */
export type Piece = readonly [ms: number, text: string]

/** The same models, without the product between: what they say, word for word. */
export async function speak(names: readonly string[], together: number, say: (text: string) => void) {
  const running = await started(names, together, say)
  const ask = (model: string, { messages, tokens, schema }: Asked, more: object = {}) => {
    const format = schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }
    return post(running, { model, messages, max_tokens: tokens, temperature: 0, ...format, ...more })
  }
  return {
    async whole(model: string, asked: Asked): Promise<{ readonly text: string; readonly ended: string }> {
      const { choices } = (await json(await ask(model, asked))) as Completion
      return { text: choices[0]?.message.content ?? '', ended: choices[0]?.finish_reason ?? '' }
    },
    /** Events as the server sends them, each in a piece. */
    async streamed(model: string, asked: Asked): Promise<Piece[]> {
      const pieces: Piece[] = []
      let before = performance.now()
      const body = await ask(model, asked, { stream: true, stream_options: { include_usage: true } })
      for await (const bytes of body) {
        const now = performance.now()
        pieces.push([Math.round(now - before), String(bytes)])
        before = now
      }
      return pieces
    },
    stop: running.stop,
  }
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string }; readonly finish_reason: string }[]
}
