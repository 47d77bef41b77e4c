/** What `loam ask` prints of sources that disagree where its output is piped. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatDates } from '../../../cli/question'
import { loam } from './loam'
import { type Service, service } from './service'

const cwd = mkdtempSync(join(tmpdir(), 'loam-disagreements-'))
let stub: Service

beforeAll(async () => {
  stub = await service()
})

afterAll(async () => {
  await stub.stop()
  rmSync(cwd, { recursive: true, force: true })
})

const dated = (value: string) => ({ published_at: { value, source: 'given' } })
const said = (marker: number, document: string, quote: string, more: object = {}) => ({
  id: `c_${marker}`,
  marker,
  document,
  title: document.toUpperCase(),
  start: 0,
  end: quote.length,
  quote,
  ...more,
})

const now = said(2, 'fares-2024', 'It costs 40.', { dates: dated('2024') })
const answered = {
  answer: 'It costs 40.',
  citations: [{ ...now, span: { start: 0, end: 12 } }],
  grounded: true,
  support: [],
  insufficient: false,
  confidence: 0.9,
  generator: 'reader',
  strategy: 'auto',
  evidence: [],
  degraded: [],
  nearest: [],
  version: 1,
  superseded: [
    {
      current: now,
      replaced: [said(1, 'fares-2022', 'It costs 30.', { dates: { ...dated('2022'), valid_until: { value: '2023', source: 'given' } } })],
      earlier: [{ start: 0, end: 12, quote: 'It costs 35.', replaced_at: '2024-03-01T00:00:00.000Z', dates: dated('2023') }],
    },
  ],
  conflicts: [{ statements: [said(3, 'atlas', 'It is 84\nmetres deep.'), said(4, 'guide', 'It is 97 metres deep.')] }],
}

it('[N2010] dates, replaced statements and conflicts are lines of their own, those of one disagreement under one number', async () => {
  stub.next('/v1/corpora/one/query', { body: answered })
  const { code, out } = await loam(['ask', 'What?', '-c', 'one'], { cwd, env: { LOAM_URL: stub.url, LOAM_KEY: 'k' } })
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      'It costs 40.',
      '',
      '2\tfares-2024\t0\t12\tIt costs 40.\t\t2024',
      'current\t1\tfares-2024\t0\t12\tIt costs 40.\t2024',
      'replaced\t1\tfares-2022\t0\t12\tIt costs 30.\t2022, was in force until 2023',
      'earlier\t1\tfares-2024\t0\t12\tIt costs 35.\t2023',
      'conflict\t2\tatlas\t0\t21\tIt is 84 metres deep.\t',
      'conflict\t2\tguide\t0\t21\tIt is 97 metres deep.\t',
      '',
    ],
  ])
})

it('[T2006] beside a source stands whether it is in force, or was', () => {
  const dates = { valid_from: { value: '2020', source: 'given' as const }, valid_until: { value: '2022', source: 'given' as const } }
  expect(formatDates(dates, Date.parse('2022-12-31T12:00:00Z'))).toBe(' (in force from 2020, until 2022)')
  expect(formatDates(dates, Date.parse('2023-01-01T12:00:00Z'))).toBe(' (in force from 2020, was in force until 2022)')
})
