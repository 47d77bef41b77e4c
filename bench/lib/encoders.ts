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

let teacher: Embed | undefined

/** One text is embedded once in a process; the child ends with it. */
export function minilm(python: string): Embed {
  if (teacher) return teacher
  const child = spawn(python, ['serve.py'], { cwd: join(process.cwd(), 'encoder'), stdio: ['pipe', 'pipe', 'ignore'] })
  const replies: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => replies.shift()?.(line))
  child.unref()
  process.on('exit', () => child.kill())
  const known = new Map<string, Vector>()
  teacher = async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(text))
    if (missing.length > 0) {
      const line = await new Promise<string>((resolve) => {
        replies.push(resolve)
        child.stdin.write(`${JSON.stringify(missing)}\n`)
      })
      const bytes = Buffer.from(line, 'base64')
      const rows = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
      for (const [i, text] of missing.entries())
        known.set(text, quantize(rows.subarray(i * MINILM_DIMENSIONS, (i + 1) * MINILM_DIMENSIONS)))
    }
    return texts.map((text) => known.get(text) as Vector)
  }
  return teacher
}
