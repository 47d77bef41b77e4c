/** The stand-in's search in a large index: by signs first, and what is found is what a scan of all finds. */
import { expect, it } from 'vitest'
import { SCANNED, Shelf } from '../../../local/workerd/shelf'
import { random } from '../../../src/core/random'

const D = 32
const COUNT = SCANNED + 6_000
const GROUPS = 200

it('[L1140] beyond 32,768 vectors of a namespace the stand-in compares those whose signs are nearest: of the fifty nearest it finds 98 % and more, under a filter and after removals too', () => {
  const dice = random('shelf')
  const centres = Array.from({ length: GROUPS }, () => Float32Array.from({ length: D }, dice.normal))
  const near = (group: number): Float32Array => (centres[group % GROUPS] as Float32Array).map((value) => value + dice.normal())
  const [large, whole] = [new Shelf(), new Shelf(Number.POSITIVE_INFINITY)]
  for (let i = 0; i < COUNT; i++) {
    const [values, indexed] = [near(i), { kind: i % 7 === 0 ? 'label' : 'passage' }]
    for (const shelf of [large, whole]) shelf.put(`v${i}`, 'n', values, indexed)
  }
  for (let i = 0; i < COUNT; i += 5) for (const shelf of [large, whole]) shelf.remove(`v${i}`)
  let found = 0
  let scanned = 0
  for (const kind of ['passage', 'label', undefined]) {
    const filter = kind === undefined ? undefined : (indexed: { readonly [property: string]: unknown }): boolean => indexed.kind === kind
    const wanted = { k: 50, namespace: 'n', values: false, metadata: 'none' as const, filter }
    for (let n = 0; n < 5; n++) {
      const asked = near(31 * n)
      const all = whole.nearest(asked, wanted)
      const scores = new Map(all.map(({ id, score }) => [id, score]))
      const mine = large.nearest(asked, wanted)
      expect(mine).toHaveLength(50)
      if (kind !== undefined) expect(mine.every(({ indexed }) => indexed.kind === kind)).toBe(true)
      expect(mine.some(({ id }) => Number(id.slice(1)) % 5 === 0)).toBe(false)
      for (const { id, score } of mine) if (scores.has(id)) expect(score).toBe(scores.get(id))
      found += mine.filter(({ id }) => scores.has(id)).length
      scanned += all.length
    }
  }
  expect(found / scanned).toBeGreaterThanOrEqual(0.98)
})
