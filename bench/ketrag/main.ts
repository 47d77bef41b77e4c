/**
 * What KET-RAG's builders cost while a corpus grows, and how long a question takes: real long documents in the object's own SQLite under local
 * workerd, random vectors, one document of up to 40,000 characters a commit. Timed from outside, the cost of an empty call taken off. Prints; asserts nothing.
 *
 *   npm run bench ketrag -- --data <folder> [--passages 10000]
 */
import { parseArgs } from 'node:util'
import { benchObject } from '../lib/miniflare'
import { dataFolder, longDocuments, type Passage } from '../quality/corpora'
import type { Step } from './step'

const { values: flags } = parseArgs({ options: { data: { type: 'string' }, passages: { type: 'string', default: '10000' } } })
const COMMIT = 1 // documents
const BUILDERS = ['mentions', 'knowledge', 'keywords']

const object = await benchObject('bench/ketrag/object.mts')
let empty = 0

async function timed<T>(call: string, ...args: unknown[]): Promise<{ readonly ms: number; readonly answer: T }> {
  const { ms, answer } = await object.call<T>(call, args)
  return { ms: ms - empty, answer }
}

const tally = new Map<string, { ms: number; rows: number; told: number }>()
let chunks = 0

function note(name: string, ms: number, step: Step): void {
  const known = tally.get(name) ?? { ms: 0, rows: 0, told: 0 }
  tally.set(name, { ms: known.ms + ms, rows: known.rows + step.rows, told: known.told + step.told })
}

async function grow(docs: readonly Passage[]): Promise<void> {
  chunks += (await timed<number>('prepare', docs)).answer
  const base = await timed<Step>('base')
  note('text', base.ms, base.answer)
  for (const name of BUILDERS) {
    const thought = await timed<number>('think', name)
    const written = await timed<Step>('write')
    note(`${name}: think`, thought.ms, { rows: 0, told: 0, chunks: 0 })
    note(`${name}: write`, written.ms, written.answer)
  }
}

function report(passages: number): void {
  console.log(`\nup to ${passages} passages: the last ${chunks} chunks, each`)
  for (const [name, { ms, rows, told }] of tally) {
    console.log(
      `  ${name.padEnd(18)} ${(ms / chunks).toFixed(2).padStart(6)} ms ${(rows / chunks).toFixed(1).padStart(7)} rows ${(told / chunks).toFixed(1).padStart(6)} in the read model`,
    )
  }
  tally.clear()
  chunks = 0
}

const TRIES = 3 // of each question; the quickest counts, the others waited for the machine

async function questions(docs: readonly Passage[]): Promise<void> {
  for (const theta of [0, 0.4, 1]) {
    const cold: number[] = []
    const warm: number[] = []
    for (const doc of docs) {
      const sentence =
        doc.text
          .slice(2000, 4000)
          .split(/(?<=[.?!])\s/)
          .find((one) => one.length > 60 && one.length < 200) ?? 'Who was that?'
      const tries: { readonly cold: number; readonly warm: number }[] = []
      for (let i = 0; i < TRIES; i++) {
        await timed('aim', sentence)
        tries.push({ cold: (await timed('ask', theta)).ms, warm: (await timed('ask', theta)).ms })
      }
      cold.push(Math.min(...tries.map((one) => one.cold)))
      warm.push(Math.min(...tries.map((one) => one.warm)))
    }
    console.log(`  question, theta ${theta}: p50 ${middle(cold)} ms with cold caches, ${middle(warm)} ms warm`)
  }
}

function middle(times: readonly number[]): string {
  return ([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0).toFixed(1)
}

try {
  const docs = longDocuments(dataFolder(flags.data), '')
  await timed('nothing')
  const calls: number[] = []
  for (let i = 0; i < 20; i++) calls.push((await timed('nothing')).ms)
  empty = Math.min(...calls)
  const marks = [1000, 2000, Number(flags.passages) - 1000, Number(flags.passages)]
  for (let at = 0; at < docs.length && marks.length > 0; at += COMMIT) {
    await grow(docs.slice(at, at + COMMIT))
    const { answer: passages } = await timed<number>('passages')
    if (passages < (marks[0] ?? 0)) continue
    report(passages)
    marks.shift()
  }
  const { answer: passages } = await timed<number>('passages')
  if (chunks > 0) report(passages)
  await questions(docs.slice(0, 30))
  for (const name of ['keywords', 'knowledge']) {
    const { ms, answer } = await timed<number>('consolidate', name)
    console.log(`  consolidate ${name}: ${ms.toFixed(0)} ms, ${answer} changes`)
  }
} finally {
  await object.dispose()
}
