/** The encoders a bench can be run with: what each makes of texts, in the product's integers. MiniLM, the static encoder's teacher, runs where a Python has it (TEACHER_PYTHON). */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readArtefact } from '../../src/core/encoder/artefact'
import { type Encoder, staticEncoder } from '../../src/core/encoder/encoder'
import type { Vector } from '../../src/core/graph/types'
import { quantize } from '../../src/core/vectors'

export const STATIC_DIMENSIONS = 256
export const MINILM_DIMENSIONS = 384

type Embed = (texts: readonly string[]) => Promise<Vector[]>

let loaded: Encoder | undefined

export function theStaticEncoder(): Encoder {
  loaded ??= staticEncoder(readArtefact(Uint8Array.from(readFileSync(join(process.cwd(), 'encoder/static.bin'))).buffer))
  return loaded
}

export const embedStatic: Embed = async (texts) => texts.map((text) => quantize(theStaticEncoder().encode(text)))

/** A Python of encoder/ that answers a line with a line; it ends with this process. */
function conversation(python: string, file: string): (line: string) => Promise<string> {
  const child = spawn(python, [file], { cwd: join(process.cwd(), 'encoder'), stdio: ['pipe', 'pipe', 'ignore'] })
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

let teacher: Embed | undefined

/** One text is embedded once in a process. */
export function minilm(python: string): Embed {
  if (teacher) return teacher
  const ask = conversation(python, 'serve.py')
  const known = new Map<string, Vector>()
  teacher = async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(text))
    if (missing.length > 0) {
      const bytes = Buffer.from(await ask(JSON.stringify(missing)), 'base64')
      const rows = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
      for (const [i, text] of missing.entries())
        known.set(text, quantize(rows.subarray(i * MINILM_DIMENSIONS, (i + 1) * MINILM_DIMENSIONS)))
    }
    return texts.map((text) => known.get(text) as Vector)
  }
  return teacher
}

/** MiniLM's late interaction (encoder/late.py): one score a text, of its parts together. */
export function lateInteraction(python: string): (question: string, texts: readonly (readonly string[])[]) => Promise<readonly number[]> {
  const ask = conversation(python, 'late.py')
  return async (question, texts) => JSON.parse(await ask(JSON.stringify({ question, texts }))) as number[]
}
