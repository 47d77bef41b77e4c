/** What a deployment would make and what it would cost, said without an account. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { monthly } from '../../../scripts/lib/deploy-costs.mjs'
import { plan, printed } from '../../../scripts/lib/deploy-plan.mjs'
import { parsed, refusedBy } from '../../../scripts/lib/deploy-wrangler.mjs'
import { repository } from './account'

it('[Y1] the plan names everything a deployment makes, metadata indexes before any vector', () => {
  const kinds = plan(repository, { domain: 'docs.example.com' }).map((step) => `${step.kind} ${step.property ?? step.name}`)
  expect(kinds).toEqual([
    'd1 loam',
    'd1 loam-data-0',
    'vectorize loam',
    'metadata-index kind',
    'metadata-index layer',
    'queue loam-outbound-dead',
    'queue loam-outbound',
    'migrations loam',
    'migrations loam-data-0',
    'secret ADMIN_KEY',
    'secret MASTER_KEY',
    'worker loam',
    'domain docs.example.com',
  ])
  expect(printed(plan(repository))).toMatch('1024 dimensions, cosine')
})

it('[Y1] every filter of the vector index has a metadata index', () => {
  const adapter = readFileSync(join(repository, 'src/adapters/vectorize.ts'), 'utf8')
  const filters = [...adapter.matchAll(/filter: \{ ?(\w+)/g)].map(([, name]) => name)
  const indexed = plan(repository).flatMap((step) => (step.kind === 'metadata-index' ? [step.property] : []))
  expect(indexed).toEqual(expect.arrayContaining(filters))
  expect(filters.length).toBeGreaterThan(0)
})

it('[H1980] the pair of stores that docs/deploy.md adds for a dedicated corpus is made like the others', () => {
  const docs = readFileSync(join(repository, 'docs/deploy.md'), 'utf8')
  const [, added = ''] = /^## Dedicated stores$[\s\S]*?```toml\n([\s\S]*?)```/m.exec(docs) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'loam-dedicated-'))
  try {
    writeFileSync(join(folder, 'wrangler.toml'), `${readFileSync(join(repository, 'wrangler.toml'), 'utf8')}\n${added}`)
    const steps = plan(folder).filter(({ name }) => name === 'loam-dedicated-0')
    expect(steps.map(({ kind }) => kind)).toEqual(['d1', 'vectorize', 'metadata-index', 'metadata-index', 'migrations'])
    expect(printed(steps)).toContain('the graph of one corpus alone, for lists and exports (bound as DEDICATED_0)')
    writeFileSync(
      join(folder, 'wrangler.toml'),
      readFileSync(join(folder, 'wrangler.toml'), 'utf8').replace('DEDICATED_0', 'DEDICATED_EU_0'),
    )
    expect(plan(folder).find(({ name }) => name === 'loam-dedicated-0')).toMatchObject({ kind: 'd1', jurisdiction: 'eu' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('[W1963] says what each database holds, as docs/deploy.md does, and that a key that is there is kept', () => {
  const lines = String(printed(plan(repository))).split('\n')
  const said = (start: RegExp) => lines.find((line) => start.test(line))
  expect(said(/^d1 +loam:/)).toContain('which corpora and keys exist')
  expect(said(/^d1 +loam-data-0:/)).toContain('the graphs of corpora, for lists and exports')
  expect(readFileSync(join(repository, 'docs/deploy.md'), 'utf8')).toContain('`loam-data-0` (the graphs of corpora, for lists and exports)')
  for (const key of ['ADMIN_KEY', 'MASTER_KEY']) expect(said(new RegExp(`^secret +${key}:`))).toMatch(/kept if it is there$/)
})

it('[Y3] the domain and the share of requests that are logged are checked', () => {
  const worker = plan(repository, { sampling: '0.25' }).find((step) => step.kind === 'worker')
  expect([worker?.sampling, printed(plan(repository, { sampling: '0.25' }))]).toEqual([
    0.25,
    expect.stringContaining('25 % of requests logged'),
  ])
  for (const domain of ['https://example.com', 'example', 'a b.com', '-a.com', ''])
    expect(() => plan(repository, { domain })).toThrow('--domain takes a host name')
  for (const sampling of ['2', '-0.1', 'all', '']) expect(() => plan(repository, { sampling })).toThrow('--sampling takes the share')
})

it('[Y1] an idle and a busy month are priced line by line, from what the price tables and the measurement say', async () => {
  const { data, text } = await monthly(plan(repository))
  expect(Object.keys(data)).toEqual(['idle', 'busy'])
  for (const month of Object.values(data)) {
    const beyond = month.lines.reduce((sum, line) => sum + line.usd, 0)
    expect(month.usd).toBeCloseTo(5 + beyond, 6)
    expect(text).toContain(month.assumed)
  }
  expect(data.busy.usd).toBeGreaterThan(data.idle.usd)
  for (const what of ['requests', 'object time', 'rows written', 'vector dimensions', 'D1', 'neurons', 'logs']) expect(text).toContain(what)
  const cheaper = await monthly(plan(repository, { sampling: '0' }))
  expect(cheaper.data.busy.lines.find(({ name }) => name.includes('logs'))?.amount).toBe(0)
})

it('[Y1] a clone has what the deploy button asks for: secrets by example, a word on each, a build and a deployment', () => {
  const { cloudflare, scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  const example = readFileSync(join(repository, '.dev.vars.example'), 'utf8')
  const secrets = plan(repository).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : []))
  expect([...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual(secrets)
  expect(Object.keys(cloudflare.bindings)).toEqual(expect.arrayContaining([...secrets, 'DB', 'VECTORIZE', 'OUTBOUND']))
  expect([scripts.build, scripts.deploy]).toEqual(['node scripts/build-ui.mjs', 'node scripts/deploy.mjs'])
})

it.each([
  ['fetch failed', 'could not be reached'],
  ['Invalid API Token [code: 1000]', 'does not accept the API token'],
  ['Authentication error [code: 10000]', 'docs/deploy.md names the permissions'],
  ['CPU limits are not supported for the Free plan. [code: 100328]', 'Workers Paid plan'],
  ['You need to register a workers.dev subdomain before publishing to workers.dev', 'Open Workers & Pages in the dashboard once'],
  ['workers.api.error.consumer_exists [code: 11004]', 'Another Worker consumes the queue'],
  ['something nobody has seen', '“wrangler d1 create loam” failed.'],
])('[Y17] %s', (said, sentence) => {
  const { message } = refusedBy(
    ['d1', 'create', 'loam', '--update-config=false'],
    `\u001b[31m${said}\u001b[0m\nIf you think this is a bug then please create an issue`,
  )
  expect(message).toContain(sentence)
  expect(message).toContain(`wrangler said:\n  ${said}`)
  expect(message).not.toContain('bug')
})

it('[Y15] an answer that is no JSON is not “nothing there”', () => {
  expect(parsed('a notice\n[{"name":"a"}]', ['d1', 'list'])).toEqual([{ name: 'a' }])
  for (const out of ['', 'Something else', '[{"name":'])
    expect(() => parsed(out, ['d1', 'list'])).toThrow('could not be read, so nothing was changed')
})
