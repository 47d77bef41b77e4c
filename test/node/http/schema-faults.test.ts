/** What is said about a value that does not fit its schema. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { byMetadata } from '../../../src/contract/metadata'
import { optionsSchema } from '../../../src/contract/options'
import { faultsOf } from '../../../src/http/schema-faults'

const faults = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.flatMap(faultsOf)

it('[H1920] a value of none of its forms is told which there are, and one that misses a bound of its form which bound', () => {
  expect(faults(optionsSchema, { rerank: 'yes' })).toEqual([{ path: 'rerank', message: 'must be true, false or a number' }])
  expect(faults(optionsSchema, { rerank: 2 })).toEqual([{ path: 'rerank', message: 'must be at most 1' }])
  expect(faults(byMetadata, { year: () => 1 })).toEqual([
    { path: 'year', message: 'must be a string, a number, true, false, null, a list or an object' },
  ])
  expect(faults(byMetadata, { lang: 'x'.repeat(2000) })).toEqual([{ path: 'lang', message: 'must have at most 1000 characters' }])
  expect(faults(byMetadata, { lang: ['en', () => 1] })).toEqual([
    { path: 'lang.1', message: 'must be a string, a number, true, false or null' },
  ])
})

it('[H1920] a name that is too long, or of characters that are not shown, is shown as far as a line holds', () => {
  expect(faults(byMetadata, { ['k'.repeat(9000)]: 1 })).toEqual([
    { path: `${'k'.repeat(64)}…`, message: 'must have at most 256 characters' },
  ])
  expect(faults(z.record(z.string(), z.number()), { 'a\u0000\ud800b': 'x' })).toEqual([
    { path: 'a\uFFFD\uFFFDb', message: 'must be a number, not a string' },
  ])
})
