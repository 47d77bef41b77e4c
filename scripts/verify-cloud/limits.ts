/** Near the limits of what is accepted, and beyond them: accepted in full, or refused with a code before anything is stored. */
import { MAX_BATCH, MAX_TEXT } from '../../src/contract/document-limits'
import { type Check, hold, same } from './checks'
import { manyNames } from './texts'

const SPENDING = 0.001 // dollars
const ID = 256 // bytes
const METADATA = 16 * 1024 // bytes of JSON
const QUERY = 8 * 1024 // bytes
const LONE = '\ud83d' // half of a pair

const batch: Check = {
  name: `a batch of ${MAX_BATCH}, more than 100 entities in one commit`,
  async run(world) {
    // Only names: no text model reads anything.
    await world.create(world.edge, { strategies: ['cluerag'], settings: { cluerag: { alpha: 0 } }, budget: { usd: SPENDING } })
    const upserts = [...manyNames()]
    const deletes = Array.from({ length: MAX_BATCH - upserts.length }, (_, at) => `nothing-${at}`)
    const { job } = await world.edge.batch({ upserts, deletes })
    const { receipt } = await world.done(world.edge, job)
    hold((receipt?.touched.entities ?? 0) > 100, `only ${receipt?.touched.entities} entities changed`)
    const one = await world.edge.batch({ upserts, deletes: [...deletes, 'one-more'] }).catch((error: { readonly code: string }) => error)
    same('code' in one && one.code, 'invalid', `${MAX_BATCH + 1} in a batch`)
    return `${receipt?.touched.entities} entities, ${receipt?.rows_written} rows`
  },
}

const removed: Check = {
  name: 'all of them forgotten in one commit',
  async run(world) {
    const { job } = await world.edge.batch({ deletes: manyNames().map(({ id }) => id) })
    await world.done(world.edge, job)
    const { evidence } = await world.edge.search({ query: 'The survey of year 3', strategy: 'hybrid', top_k: 100 })
    same(evidence.filter((one) => one.document?.startsWith('journey-')).length, 0, 'what is still found')
    await world.until('the outbox is empty', 60_000, async () => (await world.edge.health()).outbox.entries === 0)
    return `${manyNames().length} documents`
  },
}

const characters: Check = {
  name: 'ids, texts and metadata of any characters',
  async run(world) {
    const id = `a/b c%20?#&=é漢😀${'x'.repeat(ID)}`.slice(0, 0) + fitted('a/b c%20?#&=é漢😀.', ID)
    const text = `An owl 🦉 of Ærøskøbing, ${LONE}lone and \0 nothing, النص العربي. 漢字だけの文。 e\u0301.`
    const stored = text.replaceAll('\0', '\uFFFD').replaceAll(LONE, '\uFFFD').replaceAll('\uFFFD\uFFFD', '\uFFFD\uFFFD')
    const metadata = { κλειδί: `half ${LONE} of a pair`, filler: '' }
    metadata.filler = 'm'.repeat(
      METADATA - Buffer.byteLength(JSON.stringify({ ...metadata, [Object.keys(metadata)[0] ?? '']: 'half \uFFFD of a pair' })),
    )
    const { job } = await world.edge.put(id, { text, title: 'Ā'.repeat(1000), metadata })
    await world.done(world.edge, job)
    const found = await world.edge.document(id)
    same([found.document, found.status, found.text], [id, 'ready', wellFormed(stored)], 'what was kept')
    const { evidence } = await world.edge.search({ query: 'owl of Ærøskøbing', filters: { document: [id] } })
    hold(
      evidence.some((one) => one.document === id && one.text === found.text?.slice(one.start ?? 0, one.end ?? 0)),
      'it is not found at its place',
    )
    same(await world.refused(world.edge.put(`${id}x`, 'A text.')), 'invalid', 'an id of one byte more')
    same(
      await world.refused(world.edge.put('m', { text: 'A text.', metadata: { filler: 'm'.repeat(METADATA) } })),
      'invalid',
      'more metadata',
    )
    await world.done(world.edge, (await world.edge.remove(id)).job)
    return `${ID} bytes of id, ${METADATA} of metadata`
  },
}

const sizes: Check = {
  name: 'the largest question, the most evidence, and a text that is too large',
  async run(world) {
    await world.edge.search({ query: fitted('where is the ferry ', QUERY), top_k: 100, token_budget: 100_000, strategy: 'hybrid' })
    same(await world.refused(world.edge.search({ query: 'ferry', top_k: 101 })), 'invalid', 'top_k 101')
    same(await world.refused(world.edge.search({ query: `${fitted('ferry ', QUERY)}x` })), 'too_large', 'a longer question')
    same(await world.refused(world.edge.put('large', 'x'.repeat(MAX_TEXT + 1))), 'too_large', 'a larger text')
    same(await world.refused(world.edge.put('blank', ' \n')), 'invalid', 'a blank text')
    return `${QUERY} bytes asked`
  },
}

/** The words repeated, to exactly this many bytes. */
function fitted(words: string, bytes: number): string {
  let text = ''
  while (Buffer.byteLength(text + words) <= bytes) text += words
  return text.padEnd(text.length + bytes - Buffer.byteLength(text), 'x')
}

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD')

export const limits: readonly Check[] = [batch, removed, characters, sizes]
