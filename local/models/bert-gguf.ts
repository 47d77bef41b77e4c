/**
 * A BERT encoder's safetensors and vocabulary as one GGUF file, which node-llama-cpp runs: the same numbers under llama.cpp's names, with
 * the vocabulary in its spelling (a piece that begins a word has ▁ before it; one that continues a word has no ##). Layout:
 * ggml/docs/gguf.md.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const ALIGN = 32 // bytes; GGUF's default
const VERSION = 3
const F32 = 0 // ggml's number for this type
const TYPES = { u32: 4, f32: 6, bool: 7, string: 8, array: 9, i32: 5 } as const
const NORMAL = 1
const CONTROL = 3

interface Tensor {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** Values missing from the file: all-MiniLM-L6-v2's configuration. */
export interface BertForm {
  readonly name: string
  readonly heads: number
  readonly epsilon: number
}

const OF_LAYER: { readonly [name: string]: string } = {
  'attention.self.query': 'attn_q',
  'attention.self.key': 'attn_k',
  'attention.self.value': 'attn_v',
  'attention.output.dense': 'attn_output',
  'attention.output.LayerNorm': 'attn_output_norm',
  'intermediate.dense': 'ffn_up',
  'output.dense': 'ffn_down',
  'output.LayerNorm': 'layer_output_norm',
}
const OF_EMBEDDINGS: { readonly [name: string]: string } = {
  word_embeddings: 'token_embd',
  position_embeddings: 'position_embd',
  token_type_embeddings: 'token_types',
  LayerNorm: 'token_embd_norm',
}

/** Written completely or not at all. */
export function writeBertGguf(safetensors: string, vocabulary: string, out: string, form: BertForm): void {
  const bytes = readFileSync(safetensors)
  const headerBytes = Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerBytes)) as { readonly [name: string]: Tensor }
  const tensors = Object.entries(header).flatMap(([name, tensor]) => {
    const known = tensorName(name)
    if (known === undefined) return []
    const { dtype, shape } = tensor
    const [from, to] = tensor.data_offsets
    if (dtype !== 'F32') throw new Error(`${name} is ${dtype}; only F32 is supported`)
    return [{ name: known, shape, data: bytes.subarray(8 + headerBytes + from, 8 + headerBytes + to) }]
  })
  const parts = [...head(tensors, metadata(tensors, readFileSync(vocabulary, 'utf8').split(/\r?\n/).filter(Boolean), form))]
  const pad = (size: number) => Buffer.alloc((ALIGN - (size % ALIGN)) % ALIGN)
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  writeFileSync(`${out}.new`, Buffer.concat([...parts, pad(size), ...tensors.flatMap(({ data }) => [data, pad(data.length)])]))
  renameSync(`${out}.new`, out)
}

/** Undefined: a tensor that encoding does not need. */
function tensorName(name: string): string | undefined {
  const layer = /^encoder\.layer\.(\d+)\.(.+)\.(weight|bias)$/.exec(name)
  const known = layer && OF_LAYER[layer[2] ?? '']
  if (known) return `blk.${layer[1]}.${known}.${layer[3]}`
  const embedding = /^embeddings\.(\w+)\.(weight|bias)$/.exec(name)
  const own = embedding && OF_EMBEDDINGS[embedding[1] ?? '']
  return own ? `${own}.${embedding[2]}` : undefined
}

type Named = { readonly name: string; readonly shape: readonly number[]; readonly data: Buffer }

function metadata(tensors: readonly Named[], pieces: readonly string[], { name, heads, epsilon }: BertForm): readonly Buffer[] {
  const shapeOf = (wanted: string): readonly number[] => tensors.find((one) => one.name === wanted)?.shape ?? []
  const [positions = 0, width = 0] = shapeOf('position_embd.weight')
  const layers = new Set(tensors.flatMap((one) => /^blk\.(\d+)\./.exec(one.name)?.[1] ?? [])).size
  const isSpecial = (piece: string) => /^\[.*\]$/.test(piece)
  const spelled = (piece: string) => (isSpecial(piece) ? piece : piece.startsWith('##') ? piece.slice(2) : `▁${piece}`)
  const rowOf = (piece: string) => u32(pieces.indexOf(piece))
  return [
    entry('general.architecture', 'string', text('bert')),
    entry('general.name', 'string', text(name)),
    entry('bert.context_length', 'u32', u32(positions)),
    entry('bert.embedding_length', 'u32', u32(width)),
    entry('bert.feed_forward_length', 'u32', u32(shapeOf('blk.0.ffn_up.weight')[0] ?? 0)),
    entry('bert.block_count', 'u32', u32(layers)),
    entry('bert.attention.head_count', 'u32', u32(heads)),
    entry('bert.attention.layer_norm_epsilon', 'f32', f32(epsilon)),
    entry('bert.attention.causal', 'bool', Buffer.from([0])),
    entry('bert.pooling_type', 'u32', u32(1)), // the mean
    entry('tokenizer.ggml.model', 'string', text('bert')),
    entry('tokenizer.ggml.pre', 'string', text('jina-v2-en')), // BERT's uncased words
    entry('tokenizer.ggml.token_type_count', 'u32', u32(shapeOf('token_types.weight')[0] ?? 1)),
    entry(
      'tokenizer.ggml.tokens',
      'array',
      list(
        'string',
        pieces.map((piece) => text(spelled(piece))),
      ),
    ),
    entry(
      'tokenizer.ggml.token_type',
      'array',
      list(
        'i32',
        pieces.map((piece) => u32(isSpecial(piece) ? CONTROL : NORMAL)),
      ),
    ),
    entry('tokenizer.ggml.bos_token_id', 'u32', rowOf('[CLS]')),
    entry('tokenizer.ggml.cls_token_id', 'u32', rowOf('[CLS]')),
    entry('tokenizer.ggml.eos_token_id', 'u32', rowOf('[SEP]')),
    entry('tokenizer.ggml.seperator_token_id', 'u32', rowOf('[SEP]')), // the format's own spelling
    entry('tokenizer.ggml.unknown_token_id', 'u32', rowOf('[UNK]')),
    entry('tokenizer.ggml.padding_token_id', 'u32', rowOf('[PAD]')),
    entry('tokenizer.ggml.mask_token_id', 'u32', rowOf('[MASK]')),
  ]
}

function* head(tensors: readonly Named[], known: readonly Buffer[]): Generator<Buffer> {
  yield Buffer.concat([Buffer.from('GGUF'), u32(VERSION), u64(tensors.length), u64(known.length)])
  yield* known
  let at = 0
  for (const { name, shape, data } of tensors) {
    const dimensions = [...shape].reverse() // the fastest-varying first
    yield Buffer.concat([text(name), u32(dimensions.length), ...dimensions.map(u64), u32(F32), u64(at)])
    at += Math.ceil(data.length / ALIGN) * ALIGN
  }
}

function entry(key: string, type: keyof typeof TYPES, value: Buffer): Buffer {
  return Buffer.concat([text(key), u32(TYPES[type]), value])
}

function list(type: keyof typeof TYPES, values: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(TYPES[type]), u64(values.length), ...values])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8')
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const out = Buffer.alloc(4)
  out.writeUInt32LE(value)
  return out
}

function u64(value: number): Buffer {
  const out = Buffer.alloc(8)
  out.writeBigUInt64LE(BigInt(value))
  return out
}

function f32(value: number): Buffer {
  const out = Buffer.alloc(4)
  out.writeFloatLE(value)
  return out
}
