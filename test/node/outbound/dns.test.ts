/** Names, from the resolver's JSON. */
import { expect, it } from 'vitest'
import { addressesOf } from '../../../src/adapters/dns'

const signal = AbortSignal.timeout(10_000)
const saying = (answers: { readonly [type: string]: unknown }) =>
  (async (input: string) => {
    const { searchParams } = new URL(input)
    const said = answers[searchParams.get('type') ?? '']
    return said === undefined ? new Response('no', { status: 502 }) : Response.json(said)
  }) as typeof fetch

it('[V42] every address of a name is returned, of both kinds, without aliases; an unknown name has none; anything else throws', async () => {
  const A = {
    Status: 0,
    Answer: [
      { type: 5, data: 'alias.example.' },
      { type: 1, data: '93.184.216.34' },
    ],
  }
  const AAAA = { Status: 0, Answer: [{ type: 28, data: '::ffff:10.0.0.1' }] }
  expect(await addressesOf(saying({ A, AAAA }), 'a.example', signal)).toEqual(['93.184.216.34', '::ffff:10.0.0.1'])
  expect(await addressesOf(saying({ A, AAAA: { Status: 0 } }), 'a.example', signal)).toEqual(['93.184.216.34'])
  expect(await addressesOf(saying({ A: { Status: 3 }, AAAA: { Status: 3 } }), 'a.example', signal)).toEqual([])
  for (const AAAA of [{ Status: 2 }, undefined, { Answer: 'x' }, 'nonsense']) {
    await expect(addressesOf(saying({ A, AAAA }), 'a.example', signal)).rejects.toThrow()
  }
})
