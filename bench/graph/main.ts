/**
 * How fast is the object's graph? In local workerd, an artificial corpus of 512-dimensional vectors and Zipf-distributed words; timed from
 * outside (the platform's clock stands still during synchronous work), the cost of the quickest empty call taken off. Prints; asserts nothing.
 *
 *   npm run bench graph -- [passages, default 80000]
 */
import { MemoryGraph } from '../../src/core/graph/memory'
import { random } from '../../src/core/random'
import { terms } from '../../src/core/text/terms'
import { benchObject } from '../lib/miniflare'
import { put, sentence, shape } from './corpus'

const CHUNKS_A_COMMIT = 50
const PASSAGES = 8 // of a chunk
const SMALL = 10_000 // passages at which everything is measured first; these chunks have a vector for every sentence

const max = Number(process.argv[2] ?? 80_000)
const object = await benchObject('bench/graph/object.mts')

let empty = 0

/** Milliseconds and answer of one call. */
async function timed(call: string, ...args: unknown[]): Promise<{ ms: number; answer: number }> {
  const { ms, answer } = await object.call<number>(call, args)
  return { ms: ms - empty, answer }
}

/** Milliseconds of the best of three calls: the others waited for the machine. */
async function best(call: string, ...args: unknown[]): Promise<number> {
  let min = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) min = Math.min(min, (await timed(call, ...args)).ms)
  return min
}

function say(what: string, value: string): void {
  console.log(`${what.padEnd(52)} ${value}`)
}

function quantile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
}

async function fill(chunks: number, unitVectors: boolean): Promise<void> {
  let ms = 0
  let rows = 0
  for (let done = 0; done < chunks; done += CHUNKS_A_COMMIT) {
    await timed('prepare', CHUNKS_A_COMMIT, unitVectors)
    const { ms: took, answer } = await timed('apply')
    ms += took
    rows += answer
  }
  const label = `apply ${chunks} chunks${unitVectors ? ', 50 sentence vectors each' : ''}`
  say(label, `${((1000 * chunks) / ms).toFixed(0)} chunks/s, ${(rows / chunks).toFixed(2)} rows a chunk`)
}

async function reads(): Promise<void> {
  for (const [what, forget] of [
    ['chunk', true],
    ['chunk', false],
    ['passage vector', true],
    ['passage vector', false],
    ['unit vector', true],
    ['edges', true],
    ['edges', false],
    ['count', false],
  ] as const) {
    const times = 5000
    const ms = await best('read', what, times, forget)
    say(`read ${what}${forget ? ', cache emptied' : ''}`, `${((1000 * ms) / times).toFixed(1)} µs`)
  }
}

async function questions(words: number): Promise<void> {
  for (const unbounded of [false, true]) {
    const times: number[] = []
    const rows: number[] = []
    for (let seed = 0; seed < 60; seed++) {
      rows.push((await timed('match', seed, words, unbounded)).answer)
      times.push(await best('match', seed, words, unbounded))
    }
    const label = `question of ${words} words, caches empty${unbounded ? ', without a budget' : ''}`
    const read = [...rows].sort((a, b) => a - b)
    say(
      label,
      `p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms, rows read p50 ${read[29]}, p95 ${read[56]}, most ${read[59]}`,
    )
  }
  const frequencies: number[] = []
  for (let seed = 0; seed < 20; seed++) frequencies.push(await best('frequency', seed, words))
  say(`  of which frequencies`, `p50 ${quantile(frequencies, 0.5)} ms`)
}

async function measure(passages: number): Promise<void> {
  console.log(`\n${passages} passages`)
  await reads()
  await questions(3)
  await questions(9)
  say('exact nearest 10 passages', `${(await best('nearest')).toFixed(0)} ms`)
  const { ms, answer } = await timed('drop', CHUNKS_A_COMMIT)
  say(
    `drop ${CHUNKS_A_COMMIT} chunks`,
    `${((1000 * CHUNKS_A_COMMIT) / ms).toFixed(0)} chunks/s, ${(answer / CHUNKS_A_COMMIT).toFixed(2)} rows a chunk`,
  )
}

/** The graph in memory, in this process, on the same corpus. */
function memory(passages: number): void {
  const dice = random('bench')
  const graph = new MemoryGraph(shape.dimensions)
  let ms = 0
  for (let done = 0; done < passages / PASSAGES; done += CHUNKS_A_COMMIT) {
    const patch = Array.from({ length: CHUNKS_A_COMMIT }, () => put(dice, false))
    const began = performance.now()
    graph.apply(patch)
    ms += performance.now() - began
  }
  console.log(`\nin memory, ${passages} passages`)
  say('apply', `${((1000 * passages) / PASSAGES / ms).toFixed(0)} chunks/s`)
  for (const words of [3, 9]) {
    const times = Array.from({ length: 60 }, (_, seed) => {
      const asked = terms(sentence(random(seed), words))
      const began = performance.now()
      const telling = asked.filter((_, i) => (graph.frequency(asked)[i] ?? 0) <= passages / 4)
      graph.match(telling, 50)
      return performance.now() - began
    })
    say(`question of ${words} words: best 50`, `p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`)
  }
}

try {
  await timed('nothing')
  const calls: number[] = []
  for (let i = 0; i < 20; i++) calls.push((await timed('nothing')).ms)
  empty = Math.min(...calls)
  await fill(SMALL / PASSAGES, true)
  const { ms, answer } = await timed('edges', 20_000)
  say('apply 20000 relations', `${((1000 * 20_000) / ms).toFixed(0)} a second, ${(answer / 20_000).toFixed(2)} rows each`)
  await measure(SMALL)
  if (max > SMALL) {
    await fill((max - SMALL) / PASSAGES, false)
    await measure(max)
  }
  memory(max)
} finally {
  await object.dispose()
}
