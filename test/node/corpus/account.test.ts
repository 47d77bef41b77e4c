/** Indexing and questions of an account under Workers AI's limits, in virtual time. */
import { afterEach, describe, expect, it } from 'vitest'
import { workerLimits } from '../../../src/platform-limits'
import { type Account, account } from '../../account'
import { letter, type Spending } from './spending'

const opened: Spending[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

/** A corpus with these many letters, accepted and not yet indexed. */
function filled(here: Account, count: number, strategies = ['cluerag']): { readonly corpus: Spending; status(): string | undefined } {
  const corpus = here.corpus(strategies)
  opened.push(corpus)
  const accepted = corpus.accept(Array.from({ length: count }, (_, n) => letter(n)))
  return { corpus, status: () => (accepted.kind === 'accepted' ? corpus.job(accepted.job)?.status : accepted.kind) }
}

describe('indexing under the limits of the account', () => {
  it('[V135] several corpora together are never refused, do all their work, and open few calls at once', async () => {
    const here = account({ rules: { textCallsPerMinute: 100 }, rates: 'text=100' })
    const all = [80, 80, 80].map((count) => filled(here, count))
    const questions: Promise<unknown>[] = []
    const asking = (async () => {
      for (let n = 0; n < 20; n++) {
        await here.time.sleep(7000)
        questions.push(here.question().write([{ role: 'user', content: 'Who?' }], { tokens: 50 }))
      }
    })()
    await here.time.run(Promise.all([asking, ...all.map(({ corpus }, n) => here.indexed(corpus, `c${n}`))]))
    await here.time.run(Promise.all(questions))
    expect(all.map((one) => one.status())).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(here.refused).toEqual({})
    expect(here.together()).toBeLessThanOrEqual(workerLimits.safeConnections)
  })

  it('[V135] where others use the account too, indexing gives way and loses nothing', async () => {
    const here = account({ rules: { textCallsPerMinute: 30 } }) // a tenth of what the governor counts on
    const one = filled(here, 100)
    await here.time.run(here.indexed(one.corpus, 'c'))
    expect(one.status()).toBe('succeeded')
    const { rounds, refused } = { rounds: here.calls.text, refused: here.refused['3021'] ?? 0 }
    expect([rounds, refused > 0, refused < rounds]).toEqual([50, true, true]) // each answered once
  })

  it('[V135] replies that are no JSON, and a model without capacity, hold up nothing else', async () => {
    let asked = 0
    const here = account({
      say: () => (++asked % 3 === 0 ? 'Sorry, I cannot.' : '{"knowledge_units": ["Ada Lovelace met Karl Benz in Port Ellis."]}'),
    })
    const one = filled(here, 30)
    here.fail(3040)
    const recovery = here.time.sleep(90_000).then(() => here.fail(null))
    await here.time.run(Promise.all([recovery, here.indexed(one.corpus, 'c')]))
    expect(one.status()).toBe('succeeded')
    expect(Object.keys(here.refused).sort()).toEqual(['3040', '5024'])
  })

  it('[V135] without neurons work waits, tries a few calls every five minutes, and is done when neurons are back', async () => {
    const here = account()
    const one = filled(here, 40)
    const midnight = here.time.now() + 6 * 3_600_000
    here.fail(4006)
    const day = here.time.sleep(6 * 3_600_000).then(() => here.fail(null))
    await here.time.run(Promise.all([day, here.indexed(one.corpus, 'c')]))
    expect(one.status()).toBe('succeeded')
    expect(here.time.now()).toBeLessThan(midnight + 3_600_000)
    expect(here.refused['4006']).toBeLessThanOrEqual(6 * 12 * workerLimits.safeConnections) // what is under way together, every five minutes
  })
})
