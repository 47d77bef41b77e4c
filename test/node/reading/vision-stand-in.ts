/**
 * A chat model with vision as its schema has it (`ChatCompletionsInput`, 2026-07): content in parts, a picture as `image_url` with a `data:` address and no
 * other. What is no base64, no picture, cut off, or too large for the request or for what decodes it, is an error, as the platform makes it.
 */
import { visionLimits } from '../../../src/platform-limits'

const MAX_REQUEST = 10 * 1024 * 1024 // bytes (DOCS: of a batch)
const MAX_PIXELS = 89_478_485 // what Pillow takes, with which models are served

export interface Looked {
  readonly model: string
  readonly instruction: string
  readonly media: string
  readonly bytes: Uint8Array
  readonly inputs: { readonly [name: string]: unknown }
}

export interface Vision {
  readonly binding: { run(model: string, inputs: unknown, options?: unknown): Promise<unknown> }
  readonly asked: Looked[]
  /** What the next calls come to, in their order; then what `says` says. */
  readonly script: ({ readonly fails: string } | { readonly reply: unknown })[]
  says(looked: Looked): string
  /** Had it more to say? */
  isCut(looked: Looked): boolean
}

type Fields = { readonly [name: string]: unknown }
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

export function visionStandIn(says: Vision['says'] = () => 'The grey heron of Norhaven waits by the mill pond.'): Vision {
  const all: Vision = { binding: { run }, asked: [], script: [], says, isCut: () => false }
  return all

  async function run(model: string, sent: unknown): Promise<unknown> {
    const inputs = fields(structuredClone(sent))
    if (model !== visionLimits.model) throw new Error(`5007: No such model ${model} or task`)
    if (JSON.stringify(inputs).length > MAX_REQUEST) throw new Error('3006: Request is too large')
    const looked = { model, inputs, ...read(inputs) }
    all.asked.push(looked)
    const next = all.script.shift()
    if (next && 'fails' in next) throw new Error(next.fails)
    if (next && 'reply' in next) return next.reply
    const content = all.says(looked)
    return {
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: all.isCut(looked) ? 'length' : 'stop' }],
      usage: { prompt_tokens: 1200, completion_tokens: 40, total_tokens: 1240 },
    }
  }
}

function read({ messages, max_tokens: room }: Fields): Pick<Looked, 'instruction' | 'media' | 'bytes'> {
  const wrong = (what: string): Error => new Error(`5004: Invalid input: ${what}`)
  if (!Array.isArray(messages) || typeof room !== 'number') throw wrong("required properties at '/' are 'messages'")
  const parts = messages.flatMap(({ role, content }: { readonly role?: unknown; readonly content?: unknown }) => {
    if (role === 'system' && typeof content === 'string') return []
    if (role !== 'user' || !Array.isArray(content)) throw wrong('content')
    return content as Fields[]
  })
  const texts = parts.filter(({ type, text }) => type === 'text' && typeof text === 'string')
  const pictures = parts.filter(({ type }) => type === 'image_url').map(({ image_url: of }) => fields(of).url)
  if (texts.length + pictures.length !== parts.length) throw wrong('a part of an unknown type')
  const [, media = '', base64 = ''] = /^data:(image\/(?:png|jpeg|webp|gif));base64,([\s\S]*)$/.exec(String(pictures[0])) ?? []
  if (pictures.length !== 1 || media === '') throw wrong('image uri with data; HTTP URL will not be accepted')
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  if (bytes.length === 0 || Buffer.from(bytes).toString('base64') !== base64) throw wrong('not base64')
  requireDecodable(bytes, media, () => wrong('cannot identify image file'))
  return { instruction: String(texts[0]?.text), media, bytes }
}

/** As far as it is seen from outside: begin, end and size. */
function requireDecodable(bytes: Uint8Array, media: string, fault: () => Error): void {
  const buffer = Buffer.from(bytes)
  if (media === 'image/png') {
    if (!buffer.subarray(1, 4).equals(Buffer.from('PNG')) || buffer.readUInt32BE(16) * buffer.readUInt32BE(20) > MAX_PIXELS) throw fault()
    if (!buffer.subarray(-8, -4).equals(Buffer.from('IEND'))) throw fault()
  }
  if (media === 'image/jpeg') {
    const frame = buffer.indexOf(Buffer.from([0xff, 0xc0]))
    if (buffer.readUInt16BE(0) !== 0xffd8 || frame < 0 || buffer.lastIndexOf(Buffer.from([0xff, 0xd9])) < frame) throw fault()
    if (buffer.readUInt16BE(frame + 5) * buffer.readUInt16BE(frame + 7) > MAX_PIXELS) throw fault()
  }
}
