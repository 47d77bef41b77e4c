/** ArchRAG inside the object: communities and index in its SQLite, alone and beside EraRAG. */
import { describe, expect, it } from 'vitest'
import { doc, find, newCorpus, put, remove, settled } from './corpora'

const texts = Array.from({ length: 24 }, (_, i) => {
  const [town, other] = [`Belavon${'abcd'[i % 4]}`, `Corbrook${'abcd'[(i + 1) % 4]}`]
  return doc(`d${i}`, `In matter ${i} the town of ${town} stood beside ${other}. The mayor of ${town} was Fel Gorcrest${'abcdef'[i % 6]}.`)
})

describe('archrag in the object', () => {
  it('[A30] a corpus grows communities in the object, answers from them, and is empty of them when its documents have gone', async () => {
    const { corpus } = await newCorpus(['archrag', 'erarag'])
    expect((await put(corpus, ...texts.slice(0, 20))).status).toBe('succeeded')
    for (const one of texts.slice(20)) await put(corpus, one)
    const ask = async () => find(corpus, 'Which town stood beside Corbrookb?', 'archrag', { topK: 10, trace: true })
    const before = await ask()
    if (before.kind !== 'evidence') throw new Error(before.kind)
    expect(before.evidence.some((one) => one.kind === 'community')).toBe(true)
    for (const one of before.evidence.filter((item) => item.document !== null)) expect(one.text).toMatch(/matter \d+/)
    const accepted = await corpus.maintain('reindex', { strategies: ['archrag'] })
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
    expect((await settled(corpus, accepted.job)).status).toBe('succeeded')
    const after = await ask()
    if (after.kind !== 'evidence') throw new Error(after.kind)
    expect(after.evidence.some((one) => one.kind === 'community')).toBe(true)
    await remove(corpus, ...texts.map((one) => one.id))
    expect(await ask()).toMatchObject({ kind: 'evidence', evidence: [] })
  })
})
