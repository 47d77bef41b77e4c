/** The encoders a bench can be run with: what each makes of texts, in the product's integers. MiniLM, the static encoder's teacher, runs where a Python has it (TEACHER_PYTHON). */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readArtefact } from '../../src/core/encoder/artefact'
import { type Encoder, staticEncoder } from '../../src/core/encoder/encoder'
import type { Vector } from '../../src/core/graph/types'
import { quantize } from '../../src/core/vectors'
import { kept } from './kept'

export const STATIC_DIMENSIONS = 256
export const MINILM_DIMENSIONS = 384

type Embed = (texts: readonly string[]) => Promise<Vector[]>

let loaded: Encoder | undefined

export function theStaticEncoder(): Encoder {
  loaded ??= staticEncoder(readArtefact(Uint8Array.from(readFileSync(join(process.cwd(), 'encoder/static.bin'))).buffer))
  return loaded
}

export const embedStatic: Embed = async (texts) => texts.map((text) => quantize(theStaticEncoder().encode(text)))

const PIECES = join(process.cwd(), '.loam', 'cache', 'pieces') // what both of them have read

/** A Python of encoder/ that answers a line with a line; it ends with this process. */
function conversation(python: string, file: string): (line: string) => Promise<string> {
  const child = spawn(python, [file, PIECES], { cwd: join(process.cwd(), 'encoder'), stdio: ['pipe', 'pipe', 'ignore'] })
  const replies: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => replies.shift()?.(line))
  child.unref()
  process.on('exit', () => child.kill())
  return (line) =>
    new Promise((resolve) => {
      replies.push(resolve)
      child.stdin.write(`${line}\n`)
    })
}

const AT_ONCE = 256 // texts the teacher is sent before what it made is kept

let teacher: Embed | undefined

/** One text is embedded once on a machine. */
export function minilm(python: string): Embed {
  if (teacher) return teacher
  let ask: ReturnType<typeof conversation> | undefined // begun when a text is first missing: it takes 20 s
  const vectors = kept(`minilm-${MINILM_DIMENSIONS}`, MINILM_DIMENSIONS)
  teacher = async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !vectors.get(text))
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      vectors.look()
      const few = missing.slice(at, at + AT_ONCE).filter((text) => !vectors.get(text))
      if (few.length === 0) continue
      ask ??= conversation(python, 'serve.py')
      const bytes = Buffer.from(await ask(JSON.stringify(few)), 'base64')
      const rows = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
      const made = few.map((text, i) => [text, quantize(rows.subarray(i * MINILM_DIMENSIONS, (i + 1) * MINILM_DIMENSIONS))] as const)
      vectors.add(made.map(([text, vector]) => [text, new Uint8Array(vector.buffer)]))
    }
    return texts.map((text) => {
      const row = vectors.get(text)
      if (!row) throw new Error('a text has no vector')
      return new Int8Array(row.buffer, row.byteOffset, row.length)
    })
  }
  return teacher
}

/** MiniLM's late interaction (encoder/late.py): one score a text, of its parts together; kept on disk, too. */
export function lateInteraction(python: string): (question: string, texts: readonly (readonly string[])[]) => Promise<readonly number[]> {
  let ask: ReturnType<typeof conversation> | undefined
  const scores = kept('late', Float64Array.BYTES_PER_ELEMENT)
  const contentOf = (question: string, text: readonly string[]): string => JSON.stringify([question, ...text])
  return async (question, texts) => {
    scores.look()
    const missing = texts.filter((text) => !scores.get(contentOf(question, text)))
    if (missing.length > 0) {
      ask ??= conversation(python, 'late.py')
      const made = JSON.parse(await ask(JSON.stringify({ question, texts: missing }))) as number[]
      scores.add(missing.map((text, i) => [contentOf(question, text), new Uint8Array(Float64Array.of(made[i] ?? 0).buffer)]))
    }
    return texts.map((text) => scores.get(contentOf(question, text))?.readDoubleLE() ?? 0)
  }
}
