/**
 * Every reply of a model is kept under the hash of what was asked, one JSON line each: a run that was broken off goes on where it was, and after a
 * change of a prompt only what it changed is asked again.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname } from 'node:path'
import type { Message, Models } from '../../src/ports/models'

type Reply = Awaited<ReturnType<Models['write']>>

/** What a model was asked, and what it said. */
export interface Heard {
  readonly messages: readonly Message[]
  readonly tokens: number
  readonly schema: unknown
  readonly reply?: Reply
  /** Of a reply that was none. */
  readonly fault?: string
  readonly ms: number
  /** Processor seconds of the models since the reply before, of all that is asked at once; a sum over replies is what they took. */
  readonly cpu?: number
  /** Of the machine, when it was asked. */
  readonly load: number
  /** No reply is kept, and none was to be asked for. */
  readonly isMissing?: true
}

type Kept = Pick<Heard, 'reply' | 'fault' | 'ms' | 'cpu' | 'load'> & { readonly key: string }

export interface Recorder {
  /** The same models; what they say is kept, and told to `heard`. */
  recorded(models: Models, way: string, heard: Heard[]): Models
}

/** `path`: of the kept replies. `isClosed`: nothing is asked that is not among them. `processor`: seconds the models have taken so far, where that is known. */
export function recorder(path: string, isClosed: boolean, processor: () => number | undefined = () => undefined): Recorder {
  let taken = processor()
  const since = (): { cpu?: number } => {
    const before = taken
    taken = processor()
    return before === undefined || taken === undefined ? {} : { cpu: Number((taken - before).toFixed(2)) }
  }
  const known = new Map<string, Kept>()
  mkdirSync(dirname(path), { recursive: true })
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  for (const line of lines) {
    const kept = JSON.parse(line) as Kept
    known.set(kept.key, kept)
  }
  return {
    recorded: (models, way, heard) => ({
      ...models,
      async write(messages, options) {
        const { tokens, schema } = options
        const asked = JSON.stringify([models.text?.id, way, messages, tokens, schema ?? null])
        const key = createHash('sha256').update(asked).digest('base64url')
        if (isClosed && !known.has(key)) {
          heard.push({ messages, tokens, schema, ms: 0, load: 0, isMissing: true })
          throw new Error('not kept')
        }
        const kept = known.get(key) ?? { ...(await answered(models, messages, options, key)), ...since() }
        if (!known.has(key)) {
          known.set(key, kept)
          appendFileSync(path, `${JSON.stringify(kept)}\n`)
          process.stderr.write('.')
        }
        const { key: _, ...said } = kept
        heard.push({ messages, tokens, schema, ...said })
        if (said.reply) return said.reply
        throw Object.assign(new Error(said.fault), { name: 'ModelError' })
      },
    }),
  }
}

/** A reply that is none is kept as well; a model that cannot be reached is no reply. */
async function answered(models: Models, messages: readonly Message[], options: Parameters<Models['write']>[1], key: string): Promise<Kept> {
  const began = performance.now()
  const load = loadavg()[0] ?? 0
  const took = (): Pick<Kept, 'key' | 'ms' | 'load'> => ({ key, ms: Math.round(performance.now() - began), load: Number(load.toFixed(1)) })
  try {
    return { reply: await models.write(messages, options), ...took() }
  } catch (error) {
    const fault = error instanceof Error && error.name === 'ModelError' ? error.message : ''
    if (fault !== 'invalid' && fault !== 'too_large') throw error
    return { fault, ...took() }
  }
}
