/** The encoder that comes with Loam, with its real file. The pieces are compared with what the reference tokenizer made of the same texts (encoder/fixtures.py). */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { STATIC, staticEmbedder } from '../../../src/adapters/static-embedder'
import { readArtefact } from '../../../src/core/encoder/artefact'
import { staticEncoder } from '../../../src/core/encoder/encoder'
import { wordPieces } from '../../../src/core/encoder/wordpiece'
import { hybrid } from '../../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../../src/core/strategies/baselines/keyword'
import type { Strategy } from '../../../src/core/strategy'
import { quantize } from '../../../src/core/vectors'
import { embedTexts } from '../../../src/flows/embed'
import type { Models } from '../../../src/ports/models'
import { doc, documentsOf, settingsWith, world } from '../builders/worlds'

const file = readFileSync(join(import.meta.dirname, '../../../encoder/static.bin'))
const bytes = (): ArrayBuffer => Uint8Array.from(file).buffer
const artefact = readArtefact(bytes())
const { encode } = staticEncoder(artefact)
const fixtures = JSON.parse(readFileSync(join(import.meta.dirname, 'wordpiece.json'), 'utf8')) as [string, number[]][]

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
const nearestOf = (left: readonly string[], right: readonly string[]): number[] => {
  const rows = right.map(encode)
  return left
    .map(encode)
    .map((a) => rows.map((b) => cosine(a, b)).reduce((best, score, i, all) => (score > (all[best] as number) ? i : best), 0))
}
const inOrder = (pairs: readonly unknown[]): number[] => pairs.map((_, i) => i)

it('[L61] where its file is missing, so is the model; [V60] it is no call of a model, whatever it embeds', async () => {
  // In this order: a file that has been read once stays in the isolate.
  const missing = { fetch: async () => ({ ok: false, arrayBuffer: async () => new ArrayBuffer(0) }) }
  for (const without of [undefined, missing]) {
    await expect(staticEmbedder(without, artefact.header.dimensions)(['a'])).rejects.toThrow('missing')
  }
  const assets = { fetch: async () => ({ ok: true, arrayBuffer: async () => bytes() }) }
  const embed = staticEmbedder(assets, artefact.header.dimensions)
  const embedding = { id: STATIC, dimensions: artefact.header.dimensions, window: 8192 }
  const { vectors, spent, calls } = await embedTexts({ embedding, embed } as Models, ['A heron waits.', 'An owl flies.'])
  expect([vectors.length, spent, calls]).toEqual([2, { in: 0, out: 0, embedded: 0 }, 0])
})

it('[L64] a paraphrase is nearer than any other sentence, with almost no word in common', () => {
  const pairs = [
    ['The doctor told her to rest for a week.', 'A physician advised several days of recovery.'],
    ['How do I get my money back?', 'Request a refund of your payment.'],
    ['The river rose over its banks after the storm.', 'Heavy rain caused flooding.'],
    ['He repaired the engine of the old car.', 'The mechanic fixed a vehicle.'],
    ['When was the author born?', 'The novelist came into the world in 1812.'],
    ['The company dismissed half of its staff.', 'Employees were laid off by the firm.'],
  ] as const
  expect(
    nearestOf(
      pairs.map(([a]) => a),
      pairs.map(([, b]) => b),
    ),
  ).toEqual(inOrder(pairs))
  expect(
    nearestOf(
      pairs.map(([, b]) => b),
      pairs.map(([a]) => a),
    ),
  ).toEqual(inOrder(pairs))
})

it('[L61] every text has a vector of length 1, and the same one, bit for bit, alone, among others, and after the file is read again', () => {
  const again = staticEncoder(readArtefact(bytes()))
  const texts = [...fixtures.map(([text]) => text), '', ' ', '\u0000', '\ud800', '!', 'a', '北', 'a '.repeat(5000)]
  const first = texts.map(encode)
  expect([...texts].reverse().map(again.encode).reverse()).toEqual(first)
  for (const vector of first) {
    expect(vector.length).toBe(256)
    expect(Math.abs(cosine(vector, vector) - 1)).toBeLessThan(1e-5)
  }
})

it('[L61] a text has the same vector however many words were met before it, and however many it has itself', () => {
  const words = Array.from({ length: 20_000 }, (_, n) => `${n % 3 ? 'W' : 'w'}ord${n.toString(36)}`)
  const texts = [words.slice(0, 40).join(' '), words.join(' '), `${'long'.repeat(40)} after ${'long'.repeat(41)} before`]
  const alone = texts.map((text) => staticEncoder(readArtefact(bytes())).encode(text))
  const one = staticEncoder(readArtefact(bytes()))
  expect([...texts].reverse().map(one.encode).reverse()).toEqual(alone)
  expect(texts.map((text) => [one.encode(text), one.encode(text)][1])).toEqual(alone)
})

it('[L61] a text is cut into pieces as the reference tokenizer cuts it, whatever scripts, marks and invisible characters it holds', () => {
  const names = [...artefact.vocabulary.rows.keys()]
  const named = (rows: readonly number[]) => rows.map((row) => names[row])
  expect(fixtures.length).toBeGreaterThan(100)
  for (const [text, rows] of fixtures) expect([text, named(wordPieces(text, artefact.vocabulary))]).toEqual([text, named(rows)])
})

it('[L61] a text costs time in proportion to its length, whatever it consists of', () => {
  const parts = ['word ', 'x', 'e\u0301', '\u0301', '\u0301\u0316', '北', 'กรุงเทพ', 'ab-', '😀', '\u200b', 'Kubrick ', 'संस्कृत']
  for (const part of parts) {
    const timed = (length: number): number => {
      const text = part.repeat(Math.ceil(length / part.length))
      const began = performance.now()
      encode(text)
      return performance.now() - began
    }
    // What else runs on the machine only adds to a time, so the least of many is the encoder's own; what is quadratic takes 400 times as long each time.
    let [short, long] = [timed(5000), timed(100_000)]
    for (let tries = 0; tries < 30 && long > 100 * short; tries++)
      [short, long] = [Math.min(short, timed(5000)), Math.min(long, timed(100_000))]
    expect([part, long <= 100 * short]).toEqual([part, true])
  }
})

it('[L64] in each of the most used scripts a text that says the same in other words is nearer than texts about other things, and `hybrid` finds no less than `keyword`', () => {
  const scripts = JSON.parse(readFileSync(join(import.meta.dirname, 'scripts.json'), 'utf8')) as { [script: string]: [string, string][] }
  expect(Object.keys(scripts).length).toBeGreaterThanOrEqual(12)
  const all = world([], settingsWith({ dimensions: artefact.header.dimensions }), (text) => quantize(encode(text)))
  const named = Object.entries(scripts).flatMap(([script, pairs]) =>
    pairs.map(([question, passage], i) => ({ script, id: `${script}${i}`, question, passage })),
  )
  all.change({ add: named.map(({ id, passage }) => doc(id, '', passage)) })
  const found = (strategy: Strategy, question: string, id: string): boolean => documentsOf(all, all.ask(strategy, question))[0] === id
  for (const [script, pairs] of Object.entries(scripts)) {
    expect([
      script,
      nearestOf(
        pairs.map(([question]) => question),
        pairs.map(([, passage]) => passage),
      ),
    ]).toEqual([script, inOrder(pairs)])
    const own = named.filter((one) => one.script === script)
    const count = (strategy: Strategy): number => own.filter(({ id, question }) => found(strategy, question, id)).length
    expect([script, count(hybrid) >= count(keyword)]).toEqual([script, true])
  }
})

it('[L61] the file names its version, dimensions, rows and checksum; one of another version, or a part of one, is refused', () => {
  const { header, payload } = artefact
  expect(header).toMatchObject({ version: 1, name: 'loam/static', dimensions: 256, rows: 30_522 })
  expect(createHash('sha256').update(payload).digest('hex')).toBe(header.sha256)
  const other = bytes()
  const at = file.indexOf('"version": 1')
  new Uint8Array(other)[at + '"version": '.length] = '2'.charCodeAt(0)
  expect(() => readArtefact(other)).toThrow('version 2')
  expect(() => readArtefact(bytes().slice(0, -1))).toThrow('truncated')
  expect(() => readArtefact(new ArrayBuffer(64))).toThrow('not an encoder file')
  expect(() => readArtefact(new ArrayBuffer(0))).toThrow('not an encoder file')
})
