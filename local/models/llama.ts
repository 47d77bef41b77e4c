/**
 * GGUF models run by node-llama-cpp, which is installed when it is needed and loaded from its own folder. A context has two sequences, so
 * that a question can be answered during an extraction; further calls wait their turn. Nothing is compiled and nothing is fetched.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { atOnce } from '../../src/core/at-once'
import { withoutLoop } from '../../src/flows/reply-checks'
import { type SharedBatch, sharedBatch } from './batch'
import { writeBertGguf } from './bert-gguf'
import { type Embedder, TooLong, type Turn, type Writer, type Writing, type Written } from './engine'
import type { ChatItem, LibraryModel, Llama, LlamaLibrary } from './llama-library'
import { nearest } from './sequences'

const SEQUENCES = 2 // replies written in parallel by one model, by default
const SPARE = 8 // tokens of the context left between a prompt, its reply and the end
const LOOK = 200 // characters written between two checks for a loop
const LOOPS = 8 // repeats of the same words at the end, after which a model never stops repeating them: the rest is not awaited
const MARKS = 2 // tokens an encoder puts around a text

/** A model to load: which file, how much context, and what it is called. */
export interface ModelFile {
  readonly id: string
  readonly kind: 'text' | 'embedding'
  readonly path: string
  /** Default: what the model was trained with, at most 8,192. */
  readonly window?: number
}

export interface Runtime {
  writer(file: ModelFile): Promise<Writer>
  embedder(file: ModelFile): Promise<Embedder>
  close(): Promise<void>
}

const MAX_WINDOW = 8192 // tokens, by default: memory grows with it

/** `folder`: the library's. */
export async function llamaRuntime(folder: string, threads: number, sequences = SEQUENCES): Promise<Runtime> {
  const library = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as LlamaLibrary
  const gpu = `${process.platform}-${process.arch}` === 'darwin-arm64' && 'metal' // the only binary available there
  const llama = await library.getLlama({ build: 'never', gpu, logLevel: 'error', progressLogs: false, maxThreads: threads })
  const load = async ({ path }: ModelFile): Promise<LibraryModel> => llama.loadModel({ modelPath: asGguf(path) })
  return {
    async writer(file) {
      const model = await load(file)
      const window = Math.min(file.window ?? MAX_WINDOW, model.trainContextSize)
      const batch = sharedBatch()
      const batching = { itemPrioritizationStrategy: batch.pick }
      const context = await model.createContext({ contextSize: window, sequences, threads, batching })
      const free = Array.from({ length: sequences }, (_, place) => {
        const sequence = context.getSequence()
        return { place, sequence, chat: new library.LlamaChat({ contextSequence: sequence }) }
      })
      const lane = atOnce(sequences)
      return {
        id: file.id,
        window,
        write: (asked) =>
          lane(async () => {
            const history = historyOf(asked.messages)
            const prompt =
              free[0]?.chat.chatWrapper.generateContextState({ chatHistory: history }).contextText.tokenize(model.tokenizer) ?? []
            const read = free.map(({ sequence }) => sequence.contextTokens)
            const [own] = free.splice(nearest(read, prompt), 1)
            if (!own) throw new Error('more generations at once than there are sequences')
            try {
              return await written({ llama, model, window, batch, ...own }, asked, { history, read: prompt.length })
            } finally {
              free.push(own)
            }
          }),
      }
    },
    async embedder(file) {
      const model = await load(file)
      const window = Math.min(file.window ?? MAX_WINDOW, model.trainContextSize)
      const context = await model.createEmbeddingContext({ contextSize: window, threads })
      return {
        id: file.id,
        window,
        dimensions: model.embeddingVectorSize,
        async embed(texts, signal) {
          const vectors: (readonly number[])[] = []
          let read = 0
          for (const text of texts) {
            signal.throwIfAborted()
            const tokens = model.tokenize(text).slice(0, window - MARKS)
            read += tokens.length + MARKS
            vectors.push(unit((await context.getEmbeddingFor(tokens)).vector))
          }
          return { vectors, read }
        },
      }
    },
    close: () => llama.dispose(),
  }
}

interface Loaded {
  readonly llama: Llama
  readonly model: LibraryModel
  readonly chat: InstanceType<LlamaLibrary['LlamaChat']>
  readonly window: number
  readonly batch: SharedBatch
  /** The chat's place among the sequences of its context. */
  readonly place: number
}

interface Prompt {
  readonly history: readonly ChatItem[]
  /** Its tokens. */
  readonly read: number
}

async function written({ llama, model, chat, window, batch, place }: Loaded, asked: Writing, { history, read }: Prompt): Promise<Written> {
  const { tokens, temperature, schema, signal, heard } = asked
  signal.throwIfAborted()
  const room = window - read - SPARE
  if (room < 1) throw new TooLong(`the prompt has ${read} tokens, but the context only ${window}`)
  const grammar = schema === undefined ? undefined : await grammarOf(llama, schema)
  const loop = new AbortController()
  let text = ''
  let seen = 0
  const reply = await batch.during(() =>
    chat.generateResponse(history, {
      maxTokens: Math.min(tokens, room),
      temperature,
      signal: AbortSignal.any([signal, loop.signal]),
      stopOnAbortSignal: true,
      evaluationPriority: place,
      ...(grammar ? { grammar } : {}),
      onTextChunk(piece) {
        text += piece
        heard(piece)
        if (text.length < seen + LOOK) return
        seen = text.length
        if (withoutLoop(text, LOOPS).isLoop) loop.abort()
      },
    }),
  )
  signal.throwIfAborted()
  const isCut = reply.metadata.stopReason === 'maxTokens' || loop.signal.aborted
  const whole = text === '' ? reply.response : text
  return { text: whole, read, written: model.tokenize(whole).length, ended: isCut ? 'length' : 'stop' }
}

async function grammarOf(llama: Llama, schema: unknown): Promise<unknown> {
  return schema === null ? llama.getGrammarFor('json') : llama.createGrammarForJsonSchema(schema)
}

/** Several system messages become one; the last item is the reply to be written. */
function historyOf(messages: readonly Turn[]): ChatItem[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const turns = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }): ChatItem => (role === 'user' ? { type: 'user', text: content } : { type: 'model', response: [content] }))
  const last: ChatItem = { type: 'model', response: [] }
  return [...(system.length > 0 ? [{ type: 'system' as const, text: system.join('\n\n') }] : []), ...turns, last]
}

/** An encoder in safetensors format is written as GGUF next to it, once. */
function asGguf(path: string): string {
  if (!path.endsWith('.safetensors')) return path
  const out = path.replace(/safetensors$/, 'gguf')
  const form = { name: 'all-MiniLM-L6-v2', heads: 12, epsilon: 1e-12 }
  if (!existsSync(out)) writeBertGguf(path, path.replace(/[^/\\]+$/, 'vocab.txt'), out, form)
  return out
}

function unit(vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0)) || 1
  return vector.map((one) => one / length)
}
