/** Many objects in one isolate, in the real runtime. */
import { expect, it } from 'vitest'
import { isolateMemory } from '../../src/isolate-memory'
import { doc, find, newCorpus, put } from './corpora'

const OBJECTS = 12
const ALL = 48 * 1024 * 1024

const page = (of: number, n: number) =>
  doc(`d${n}`, `Keeper Anna Berg of harbour ${of} counted ${n} herons. Otto Brandt of harbour ${of} doubted it.`)

it('[G1940] all objects together keep to what there is room for, and find what they found', async () => {
  const corpora = await Promise.all(Array.from({ length: OBJECTS }, () => newCorpus(['ketrag', 'cluerag'])))
  const put10 = async ({ corpus }: (typeof corpora)[number], of: number) =>
    put(corpus, ...Array.from({ length: 10 }, (_, n) => page(of, n)))
  for (const [of, one] of corpora.entries()) await put10(one, of)
  const answers = async (): Promise<readonly unknown[]> => {
    const out: unknown[] = []
    for (const [of, { corpus }] of corpora.entries()) {
      const found = await find(corpus, `Who counted herons at harbour ${of}?`, 'auto')
      out.push(found.kind === 'evidence' ? found.evidence.map(({ id, score }) => [id, score]) : found.kind)
      expect(isolateMemory.bytes).toBeLessThanOrEqual(room)
    }
    return out
  }
  let room = ALL
  const before = await answers()
  const { bytes } = isolateMemory
  expect(bytes).toBeGreaterThan(OBJECTS * 10_000) // it is theirs: the test and the objects share an isolate
  room = Math.ceil(bytes / 3)
  const giveBack = isolateMemory.lend(ALL - room, Number.POSITIVE_INFINITY)
  try {
    expect(await answers()).toEqual(before)
    for (const [of, one] of corpora.entries()) {
      await put10(one, of + 100)
      expect(isolateMemory.bytes).toBeLessThanOrEqual(room)
    }
  } finally {
    giveBack()
  }
})
