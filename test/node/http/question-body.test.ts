/** A question's body as the flows take it. */
import { describe, expect, it } from 'vitest'
import { filterFields } from '../../../src/contract/filters'
import { querySchema } from '../../../src/contract/questions'
import { queryOf } from '../../../src/http/question-body'

describe('the body of a question', () => {
  it('[T826] brings every filter to the corpus, and none that is absent', () => {
    const filters = { document: ['mill'], metadata: { year: 2024 }, language: ['de' as const] }
    expect(Object.keys(filters).sort()).toEqual(Object.keys(filterFields).sort())
    const read = (given: object) => queryOf(querySchema.parse({ query: 'When?', filters: given })).filters
    expect(read({ ...filters, saved: 'manuals' })).toEqual({ ...filters, saved: ['manuals'] })
    for (const [name, value] of Object.entries(filters)) expect(read({ [name]: value })).toStrictEqual({ [name]: value })
    expect(read({})).toStrictEqual({})
  })
})
