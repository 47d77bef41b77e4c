/** Buckets in a deployment, against a wrangler that answers as the test says. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeBucket, makeNotification } from '../../../scripts/lib/deploy-buckets.mjs'
import { configured, plan } from '../../../scripts/lib/deploy-plan.mjs'
import { withBuckets } from '../../../scripts/lib/local-config.mjs'

function wrangler(answers: { readonly [command: string]: { readonly code: number; readonly all: string } }) {
  const asked: string[] = []
  const attempt = async (args: readonly string[]) => {
    asked.push(args.join(' '))
    const found = Object.entries(answers).find(([command]) => args.join(' ').startsWith(command))
    return found?.[1] ?? { code: 0, all: '' }
  }
  return { asked, attempt, run: attempt }
}

it('[V779] a bucket that is missing is made, one that is there is left; its rule is made once, and one that overlaps is said and stays', async () => {
  const fresh = wrangler({ 'r2 bucket info': { code: 1, all: 'The specified bucket does not exist. [code: 10006]' } })
  expect([await makeBucket(fresh, 'papers'), fresh.asked.at(-1)]).toEqual(['created', 'r2 bucket create papers --update-config=false'])
  expect(await makeBucket(wrangler({}), 'papers')).toBe('there')
  await expect(makeBucket(wrangler({ 'r2 bucket info': { code: 1, all: 'Authentication error' } }), 'papers')).rejects.toThrow()
  const step = { name: 'papers', queue: 'loam-outbound' }
  const first = wrangler({})
  expect([await makeNotification(first, step), first.asked.at(-1)]).toEqual([
    'created',
    'r2 bucket notification create papers --event-type object-create object-delete --queue loam-outbound',
  ])
  const listed = wrangler({ 'r2 bucket notification list': { code: 0, all: 'queue_name: loam-outbound' } })
  expect([await makeNotification(listed, step), listed.asked.length]).toEqual(['there', 1])
  const other = wrangler({ 'r2 bucket notification create': { code: 1, all: 'rules overlap' } })
  expect(await makeNotification(other, step)).toMatch(/^not created/)
})

it('[V779] the Worker is told which binding is which bucket, from the one place where they are named', () => {
  const bound = [{ binding: 'BUCKET_0', bucket_name: 'papers' }]
  expect(withBuckets({ vars: { A: '1' }, r2_buckets: bound }).vars).toEqual({ A: '1', BUCKETS: 'BUCKET_0=papers' })
  expect(withBuckets({ vars: { A: '1' } }).vars).toEqual({ A: '1' })
})

it('[S1581] the bucket of the log of replicas is made like any other, but no source may follow it, and it tells no queue', () => {
  const account = mkdtempSync(join(tmpdir(), 'loam-replication-'))
  const toml = readFileSync(join(import.meta.dirname, '../../../wrangler.toml'), 'utf8')
  writeFileSync(join(account, 'package.json'), '{}')
  const planned = (config: string) => {
    writeFileSync(join(account, 'wrangler.toml'), config)
    const steps = plan(account, {}) as readonly { readonly kind: string; readonly name: string }[]
    return [
      ...steps.flatMap(({ kind, name }) => (kind === 'bucket' || kind === 'notification' ? [`${kind} ${name}`] : [])),
      configured(account).vars.BUCKETS,
    ]
  }
  const bucket = (binding: string, name: string) => `\n[[r2_buckets]]\nbinding = "${binding}"\nbucket_name = "${name}"\n`
  expect(planned(toml)).toEqual([undefined])
  expect(planned(toml + bucket('REPLICATION', 'loam-replication'))).toEqual(['bucket loam-replication', undefined])
  expect(planned(toml + bucket('REPLICATION', 'loam-replication') + bucket('BUCKET_0', 'papers'))).toEqual([
    ...['bucket loam-replication', 'bucket papers', 'notification papers'],
    'BUCKET_0=papers',
  ])
  rmSync(account, { recursive: true })
})
