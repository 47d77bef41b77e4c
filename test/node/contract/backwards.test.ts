/** What could find nothing, or has a default. */
import { expect, it } from 'vitest'
import { compareSchema, querySchema, searchSchema } from '../../../src/contract/questions'
import { severalSearchSchema } from '../../../src/contract/several'
import { sourceSchema } from '../../../src/contract/sources'

const at = (result: { readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] } | undefined }) =>
  result.error?.issues.map(({ path }) => path.join('.'))

it('[H2052] `since` later than `until` is refused at both fields', () => {
  const question = { query: 'x', since: '2024-02', until: '2024-01' }
  for (const result of [
    searchSchema.safeParse(question),
    querySchema.safeParse(question),
    compareSchema.safeParse({ ...question, strategies: ['auto'] }),
    severalSearchSchema.safeParse({ ...question, corpora: ['a', 'b'] }),
  ])
    expect(at(result)).toEqual(['since', 'until'])
  for (const until of ['2024-02', '2024', '2025']) expect(searchSchema.safeParse({ ...question, until }).success).toBe(true)
})

it('[H2052] a facet that begins with `@` other than `@language` is refused at its place', () => {
  expect(at(searchSchema.safeParse({ query: 'x', facets: ['kind', '@foo'] }))).toEqual(['facets.1'])
  expect(searchSchema.safeParse({ query: 'x', facets: ['kind', '@language'] }).success).toBe(true)
})

it('[H2052] a source without `every` is checked once a day', () => {
  expect(sourceSchema.parse({ url: 'https://example.org/' }).every).toBe('1d')
})
