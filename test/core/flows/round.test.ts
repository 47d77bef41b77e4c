import { describe, expect, it } from 'vitest'
import { quantize } from '../../../src/core/vectors'
import { embedTexts } from '../../../src/flows/embed'
import { WRITTEN } from '../../../src/flows/ingest'
import { rounds, runRound } from '../../../src/flows/round'
import type { Models } from '../../../src/ports/models'
import type { LeasedTask } from '../../../src/ports/tasks'
import { virtualTime } from '../../virtual-time'
import { fakeCorpus, fakeModels, fault, hashed, task } from './fakes'

/** Never answers; ends when its caller goes. */
const until = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(fault('timeout'))))

const embed = (id: number, ...texts: string[]): LeasedTask => task(id, { kind: 'embed', texts })
const summarize = (id: number): LeasedTask =>
  task(id, { kind: 'summarize', role: 'segment', subject: '', texts: [`t${id}`], tokens: 20, fallback: `short ${id}` })
const extract = (id: number): LeasedTask => task(id, { kind: 'extract', name: '', text: 'Ada.', want: { units: true, graph: false } })
const ids = (commits: readonly (readonly { readonly id: number }[])[]) => commits.map((results) => results.map((one) => one.id))

describe('a round', () => {
  it('[F17] embeds the texts of all its tasks in one call and gives each its own', async () => {
    const models = fakeModels()
    const corpus = fakeCorpus({ tasks: [embed(1, 'a', 'b'), embed(2, 'c', 'a'), summarize(3)] })
    const outcome = await runRound(corpus, models, { runner: 'me', texts: 10 })
    expect(outcome).toEqual({ left: 0, lost: false, paused: false, committed: 3, faults: {} })
    expect(models.embedded).toEqual([['a', 'b', 'c', 'short 3']])
    const vectors = ['c', 'a'].map((text) => quantize(hashed(text, 16)))
    expect(corpus.commits[0]?.[1]?.reply).toMatchObject({ kind: 'embed', node: 's_node-2', vectors })
  })

  it('[F17] the tokens and calls of a batch add up over its tasks', async () => {
    const tasks = Array.from({ length: 7 }, (_, i) => embed(i, `text ${i}`, 'shared', 'x'.repeat(i)))
    const corpus = fakeCorpus({ tasks })
    await runRound(corpus, fakeModels(), { runner: 'me', texts: 10 })
    const [results = []] = corpus.commits
    expect(results.reduce((sum, one) => sum + one.spent.embedded, 0)).toBe(10 * 14)
    expect(results.reduce((sum, one) => sum + (one.calls.embed ?? 0), 0)).toBe(1)
  })

  it('[F161] a text without a vector spoils no other: its chunk comes in and says so, what else is written is asked for again', async () => {
    const refusing = fakeModels()
    const models: Models = {
      ...refusing,
      embed: async (texts) => {
        const reply = await refusing.embed(texts)
        return { ...reply, vectors: reply.vectors.map((vector, i) => (texts[i]?.includes('bad') ? [] : vector)) }
      },
    }
    const bad: LeasedTask = task(3, { kind: 'summarize', role: 'segment', subject: '', texts: ['t'], tokens: 20, fallback: 'bad' })
    const corpus = fakeCorpus({ tasks: [embed(1, 'good'), embed(2, 'good', 'bad one'), bad] })
    const outcome = await runRound(corpus, models, { runner: 'me', texts: 10 })
    const results = corpus.commits.flat()
    expect(results.map(({ id, reply, dropped }) => [id, reply.kind, dropped?.refused])).toEqual([
      [1, 'embed', undefined],
      [2, 'embed', 1],
      [3, 'unusable', undefined],
    ])
    expect(results[1]?.reply).toMatchObject({ vectors: [quantize(hashed('good', 16)), new Int8Array(16)] })
    expect(outcome.faults).toEqual({ invalid: 1 })
    await expect(embedTexts(models, ['a bad question'])).rejects.toMatchObject({ name: 'ModelError', message: 'invalid' })
  })

  it('[F17] commits large rounds in parts small enough to send', async () => {
    const tasks = Array.from({ length: 5 }, (_, i) => embed(i, ...Array.from({ length: rounds.texts / 2 - 1 }, (_, n) => `${i}-${n}`)))
    const corpus = fakeCorpus({ tasks })
    await runRound(corpus, fakeModels(), { runner: 'me', texts: 10 })
    expect(ids(corpus.commits)).toEqual([[0, 1], [2, 3], [4]])
  })

  it('[F2180] a commit ends where a job ends, if it has enough', async () => {
    const of = (id: number, texts: number, isLastOfJob = false): LeasedTask => ({
      ...embed(id, ...Array.from({ length: texts }, (_, n) => `${id}-${n}`)),
      ...(isLastOfJob ? { isLastOfJob } : {}),
    })
    const [enough, few] = [rounds.texts / 4, 3]
    const corpus = fakeCorpus({
      tasks: [of(1, few, true), of(2, enough, true), of(3, enough), of(4, few, true), of(5, few, true), of(6, few)],
    })
    await runRound(corpus, fakeModels(), { runner: 'me', texts: 10 })
    expect(ids(corpus.commits)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
  })

  it('[F430] while the object commits some texts the next are embedded', async () => {
    const tasks = Array.from({ length: 3 }, (_, i) => embed(i, ...Array.from({ length: rounds.texts }, (_, n) => `${i}-${n}`)))
    const embedded = tasks.map(() => Promise.withResolvers<void>())
    const seen: string[] = []
    const models = fakeModels({
      embed: ([text = '']) => {
        if (!text.endsWith('-0')) return undefined
        seen.push(`embed ${text[0]}`)
        embedded[Number(text[0])]?.resolve()
        return undefined
      },
    })
    const corpus = fakeCorpus({ tasks })
    const commit: typeof corpus.commit = async (...given) => {
      seen.push(`commit ${given[1][0]?.id}`)
      await embedded[Number(given[1][0]?.id) + 1]?.promise // it never comes where the next wait for the commit
      return corpus.commit(...given)
    }
    expect(await runRound({ ...corpus, commit }, models, { runner: 'me', texts: 10 })).toMatchObject({ committed: 3, left: 0 })
    expect(seen).toEqual(['embed 0', 'commit 0', 'embed 1', 'commit 1', 'embed 2', 'commit 2'])
    expect(ids(corpus.commits)).toEqual([[0], [1], [2]])
  })

  it('[F430] a commit that fails ends the round, and nothing after it is committed', async () => {
    const tasks = Array.from({ length: 3 }, (_, i) => embed(i, ...Array.from({ length: rounds.texts }, (_, n) => `${i}-${n}`)))
    const corpus = fakeCorpus({ tasks })
    let commits = 0
    const commit: typeof corpus.commit = async () => {
      commits++
      throw new Error('gone')
    }
    await expect(runRound({ ...corpus, commit }, fakeModels(), { runner: 'me', texts: 10 })).rejects.toThrow('gone')
    expect(commits).toBe(1)
  })

  it('[F16] what failed for a passing reason stays open, the rest is committed', async () => {
    const models = fakeModels({ write: ['Fine.', fault('capacity'), fault('quota', 3600)] })
    const corpus = fakeCorpus({ tasks: [embed(1, 'a'), summarize(2), summarize(3), extract(4)] })
    const outcome = await runRound(corpus, models, { runner: 'me', texts: 10 })
    expect(outcome).toEqual({ left: 2, lost: false, paused: false, committed: 2, faults: { capacity: 1, quota: 1 }, retryAfter: 3600 })
    expect(ids(corpus.commits)).toEqual([[1], [2]])
    const again = await runRound(corpus, fakeModels({ write: ['Ada.', '{"knowledge_units": ["Ada."]}'] }), { runner: 'me', texts: 10 })
    expect(again).toMatchObject({ left: 0, committed: 2 })
  })

  it('[F16] nothing is committed while the embedding model is down', async () => {
    const corpus = fakeCorpus({ tasks: [embed(1, 'a'), embed(2, 'b')] })
    const outcome = await runRound(corpus, fakeModels({ embed: () => fault('down') }), { runner: 'me', texts: 10 })
    expect(outcome).toMatchObject({ left: 2, committed: 0, faults: { down: 2 } })
    expect(corpus.commits).toEqual([])
  })

  it('[F17] a text the embedding model refuses spoils its own task and no other', async () => {
    const models = fakeModels({ embed: (texts) => (texts.includes('poison') ? fault('invalid') : undefined) })
    const corpus = fakeCorpus({ tasks: [embed(1, 'a'), embed(2, 'poison'), embed(3, 'b')] })
    expect(await runRound(corpus, models, { runner: 'me', texts: 10 })).toMatchObject({ left: 0, committed: 3 })
    expect(corpus.commits[0]?.map((one) => one.reply.kind)).toEqual(['embed', 'unusable', 'embed'])
  })

  it('[F17] stops when its lease is lost', async () => {
    const corpus = fakeCorpus({ tasks: [embed(1, 'a'), ...Array.from({ length: 30 }, (_, i) => summarize(i + 2))], lostAfter: 2 })
    const outcome = await runRound(corpus, fakeModels({ write: ['Fine.'] }), { runner: 'me', texts: 100 })
    expect(outcome).toMatchObject({ lost: true, committed: 13 })
    expect(corpus.commits).toHaveLength(2)
  })

  it('[F17] written replies are committed as they arrive, not when the last is there', async () => {
    const corpus = fakeCorpus({ tasks: Array.from({ length: 30 }, (_, i) => summarize(i)) })
    await runRound(corpus, fakeModels({ write: ['Fine.'] }), { runner: 'me', texts: 100 })
    expect(corpus.commits.length).toBeGreaterThan(0)
    expect(
      corpus.commits
        .flat()
        .map((one) => one.id)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 30 }, (_, i) => i))
  })

  it('[F17] begins no task late, and has nothing under way when its time is over', async () => {
    const clock = virtualTime()
    const models = fakeModels({ write: ['Fine.'] })
    const begun: number[] = []
    const slow: Models = {
      ...models,
      write: async () => {
        begun.push(clock.now())
        await clock.sleep(50_000)
        return { text: 'Fine.', spent: { in: 1, out: 1, embedded: 0 } }
      },
    }
    const corpus = fakeCorpus({ tasks: Array.from({ length: 40 }, (_, i) => summarize(i)) })
    const outcome = await clock.run(runRound(corpus, slow, { runner: 'me', texts: 100, clock }))
    expect([...new Set(begun)]).toEqual([0, 50_000]) // eight in two turns of four; at 100 s it is too late to begin
    expect([outcome.committed, outcome.left, clock.now()]).toEqual([8, 32, 100_000])
    const stuck: Models = { ...models, write: (_messages, { signal }) => until(signal) }
    const none = await clock.run(runRound(fakeCorpus({ tasks: [summarize(1)] }), stuck, { runner: 'me', texts: 100, clock }))
    expect([none.committed, none.left, none.faults, clock.now()]).toEqual([0, 1, { timeout: 1 }, 100_000 + 210_000])
  })

  it('[F17] is lent sixty tasks to write at most, and waits where another round of its runner is under way', async () => {
    const corpus = fakeCorpus({ tasks: [embed(1, 'a')] })
    const waiting = { ...corpus, openTasks: async () => ({ tasks: [], left: 1, paused: false, wait: 1500 }) }
    expect(await runRound(waiting, fakeModels(), { runner: 'me', texts: 10 })).toMatchObject({ left: 1, committed: 0, retryAfter: 2 })
    expect(WRITTEN).toBe(60)
  })

  it('[F17] a round without tasks asks nothing', async () => {
    const models = fakeModels()
    expect(await runRound(fakeCorpus(), models, { runner: 'me', texts: 10 })).toEqual({
      left: 0,
      lost: false,
      paused: false,
      committed: 0,
      faults: {},
    })
    expect(models.embedded).toEqual([])
  })
})
