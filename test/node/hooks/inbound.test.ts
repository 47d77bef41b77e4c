/** Webhooks in, against a world in memory: what is let in, and that nothing else is. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { vault } from '../../../src/hooks/seal'
import { createApp } from '../../../src/http/app'
import type { CorpusObject } from '../../../src/ports/object'
import { ADMIN, fakeWorld } from '../http/world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const NOW = 1_795_000_000_000
type Request_ = Parameters<CorpusObject['accept']>[0]
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

async function door(hook: object) {
  const world = fakeWorld()
  world.clock.now = NOW
  const accepted: Request_[] = []
  const corpus = world.wired.corpus
  const wired = {
    corpus: (uid: string) => ({
      ...corpus(uid),
      accept: async (request: Request_) => {
        accepted.push(request)
        return corpus(uid).accept(request)
      },
    }),
  }
  const app = createApp(() => ({ ...world.wired, corpus: wired.corpus }))
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await app.fetch(new Request(`https://loam.test${path}`, init), {}, context)
    return { status: response.status, body: response.status === 204 ? null : await response.json() }
  }
  expect((await call('PUT', '/v1/corpora/here', {})).status).toBe(201)
  const made = await call('POST', '/v1/corpora/here/hooks', hook)
  const { hook: id, secret } = made.body
  const send = async ({ headers, body }: Sent, to = id): Promise<[number, string | undefined]> => {
    const response = await app.fetch(
      new Request(`https://loam.test/v1/hooks/${to}`, { method: 'POST', headers, body: body as BodyInit }),
      {},
      context,
    )
    const answer = await response.json()
    return [response.status, answer.code ?? answer.status ?? answer.job]
  }
  return { world, accepted, call, send, made, id, secret }
}

const event = (data: unknown = { id: 'a', text: 'A heron waits.' }): string => JSON.stringify(data)

function signed(secret: string, body: string, { id = 'msg_1', at = NOW }: { id?: string; at?: number } = {}): Sent {
  const signature = new Webhook(secret).sign(id, new Date(at), body)
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': signature } }
}

const github = (secret: string, body: string, kind = 'push', id = 'd-1'): Sent => ({
  body,
  headers: {
    'x-github-event': kind,
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  },
})

describe('webhooks in', () => {
  it('[V1] what the reference library signs is accepted; the secret is shown once and stored sealed', async () => {
    const { send, secret, call, made, world, accepted, id } = await door({ preset: 'standard' })
    expect([made.status, made.body.url]).toEqual([201, `https://loam.test/v1/hooks/${id}`])
    expect(await send(signed(secret, event()))).toEqual([202, 'j_1'])
    expect(accepted[0]).toMatchObject({
      kind: 'ingest',
      upserts: [{ id: 'a', text: 'A heron waits.', title: '', url: null, metadata: {} }],
      deletes: [],
    })
    expect(accepted[0]?.events?.[0]).not.toContain('msg_1')
    const listed = JSON.stringify([
      (await call('GET', '/v1/corpora/here/hooks')).body,
      (await call('GET', `/v1/corpora/here/hooks/${id}`)).body,
    ])
    expect(listed).toContain(id)
    const kept = JSON.stringify([...world.hooks.values()])
    for (const text of [listed, kept]) expect(text).not.toContain(secret.slice(6, 30))
  })

  it('[V1] a timestamp may be off by five minutes, not by more', async () => {
    const { send, secret } = await door({ preset: 'standard' })
    const at = (seconds: number) => send(signed(secret, event(), { at: NOW + seconds * 1000 }))
    expect([await at(-300), await at(300)]).toEqual([
      [202, 'j_1'],
      [202, 'j_1'],
    ])
    expect([await at(-301), await at(301)]).toEqual([
      [401, 'signature_invalid'],
      [401, 'signature_invalid'],
    ])
  })

  it('[V1] one valid signature among several suffices, and a rotated secret is valid until its overlap has passed', async () => {
    const { send, secret, call, id, world } = await door({ preset: 'generic' })
    const { body } = await call('POST', `/v1/corpora/here/hooks/${id}:rotate`, { overlap: 60 })
    const [old, fresh] = [signed(secret, event()), signed(body.secret, event())]
    expect(await send(old)).toEqual([202, 'j_1'])
    expect(await send(fresh)).toEqual([202, 'j_1'])
    world.clock.now += 60_000
    expect(await send(old)).toEqual([401, 'signature_invalid'])
    const both = `${old.headers['webhook-signature']} v1a,xyz ${fresh.headers['webhook-signature']}`
    expect(await send({ ...fresh, headers: { ...fresh.headers, 'webhook-signature': both } })).toEqual([202, 'j_1'])
    const already = await call('POST', `/v1/corpora/here/hooks/${id}:rotate`, { overlap: 0 })
    expect(await send(fresh)).toEqual([401, 'signature_invalid'])
    expect(await send(signed(already.body.secret, event()))).toEqual([202, 'j_1'])
  })

  it('[V4] GitHub: the notes of a release and the messages of a push are taken in, pings and the like ignored', async () => {
    const secret = 'a secret of my own making'
    const { send, accepted } = await door({ preset: 'github', secret })
    const repository = { full_name: 'o/r' }
    const release = {
      action: 'published',
      repository,
      release: { tag_name: 'v1', name: 'One', body: 'Notes.', html_url: 'https://x.test/1' },
    }
    expect(await send(github(secret, event({ zen: 'x' }), 'ping'))).toEqual([200, 'ignored'])
    expect(await send(github(secret, event(release), 'release', 'd-2'))).toEqual([202, 'j_1'])
    expect(await send(github(secret, event({ ...release, action: 'deleted' }), 'release', 'd-3'))).toEqual([202, 'j_1'])
    const push = { repository, commits: [{ id: 'abc', message: 'Mend the dam', url: 'https://x.test/c' }] }
    expect(await send(github(secret, event(push)))).toEqual([202, 'j_1'])
    expect(accepted.map(({ upserts, deletes }) => [upserts.map((one) => [one.id, one.text]), deletes])).toEqual([
      [[['github/o/r/release/v1', 'Notes.']], []],
      [[], ['github/o/r/release/v1']],
      [[['github/o/r/commit/abc', 'Mend the dam']], []],
    ])
    // Its delivery id is not signed: the body is remembered as well.
    expect(accepted[0]?.events).toHaveLength(2)
    const [again] = [github(secret, event(release), 'release', 'another')]
    await send(again)
    expect(accepted[3]?.events?.[1]).toBe(accepted[0]?.events?.[1])
  })

  it('[V773] a push to the branch that a source follows has it look; any other event is answered and does nothing', async () => {
    const { world, call, accepted } = await door({ preset: 'github' })
    const app = createApp(() => world.wired)
    const url = 'https://github.com/reeds/birds'
    const { source } = (await call('POST', '/v1/corpora/here/sources', { kind: 'github', url, every: '1d', ref: 'main' })).body
    const secret = 'a secret of my own making'
    const made = await call('POST', '/v1/corpora/here/hooks', { preset: 'github', secret, source })
    expect([made.status, made.body.source]).toEqual([201, source])
    const push = (ref: string, full_name = 'reeds/birds') => event({ ref, repository: { full_name, default_branch: 'main' }, commits: [] })
    const tell = async ({ headers, body }: Sent) => {
      const response = await app.fetch(
        new Request(`https://loam.test/v1/hooks/${made.body.hook}`, { method: 'POST', headers, body: body as BodyInit }),
        {},
        context,
      )
      const answer = await response.json()
      return [response.status, answer.code ?? answer.status]
    }
    expect(await tell(github(secret, push('refs/heads/main')))).toEqual([202, 'looking'])
    for (const other of [push('refs/heads/next'), push('refs/heads/main', 'reeds/fish'), event({ zen: 'x' })])
      expect(await tell(github(secret, other))).toEqual([200, 'ignored'])
    expect(await tell(github(secret, push('refs/heads/main'), 'release'))).toEqual([200, 'ignored'])
    expect(await tell(github('another secret that is long', push('refs/heads/main')))).toEqual([401, 'signature_invalid'])
    await call('DELETE', `/v1/corpora/here/sources/${source}`)
    expect(await tell(github(secret, push('refs/heads/main')))).toEqual([200, 'ignored'])
    expect(accepted).toEqual([])
    const refused: readonly [object, string][] = [
      [{ preset: 'github', source: 'src_none' }, 'source'],
      [{ preset: 'generic', source }, 'source'],
      [{ preset: 'github', source, mapping: { id: '/id', text: '/text' } }, 'source'],
    ]
    for (const [hook, path] of refused) {
      const { status, body } = await call('POST', '/v1/corpora/here/hooks', hook)
      expect([status, body.errors?.[0]?.path]).toEqual([422, path])
    }
  })

  it('[V4] a mapping says where id, text, title, url, metadata and deletions are, of one document or of a list', async () => {
    const mapping = {
      items: '/pages',
      id: '/n',
      text: '/body/0',
      title: '/a~1b',
      url: '/link',
      metadata: { by: '/author/name' },
      deleted: { pointer: '/what', equals: ['gone', 'hidden'] },
    }
    const { send, accepted, secret } = await door({ preset: 'generic', mapping })
    const pages = [
      { n: 7, body: ['Text.'], 'a/b': 'T', link: 'https://x.test/', author: { name: 'Ann' } },
      { n: 8, what: 'gone' },
    ]
    expect(await send(signed(secret, event({ pages })))).toEqual([202, 'j_1'])
    expect(accepted[0]).toMatchObject({
      kind: 'batch',
      upserts: [{ id: '7', text: 'Text.', title: 'T', url: 'https://x.test/', metadata: { by: 'Ann' } }],
      deletes: ['8'],
    })
    expect(await send(signed(secret, event({ pages: [{ n: 1, 'a/b': '' }] })))).toEqual([422, 'invalid'])
    const flat = await door({ preset: 'standard' })
    await flat.send(signed(flat.secret, event({ type: 'x', data: { id: 'b', text: 'Nested.' } })))
    await flat.send(signed(flat.secret, event({ id: 'b', deleted: true })))
    expect(flat.accepted.map(({ kind, upserts, deletes }) => [kind, upserts.map((one) => one.text), deletes])).toEqual([
      ['ingest', ['Nested.'], []],
      ['delete', [], ['b']],
    ])
    expect((await flat.call('POST', '/v1/corpora/here/hooks', { preset: 'generic', mapping: { id: 'id', text: '/t' } })).status).toBe(422)
    expect((await flat.call('POST', '/v1/corpora/here/hooks', { preset: 'standard', secret: 'whsec_short' })).status).toBe(422)
  })

  it('[V1] of more than ten thousand forged, stale, truncated, altered and oversized deliveries none is accepted', async () => {
    const standard = await door({ preset: 'standard' })
    const hub = await door({ preset: 'github', secret: 'a secret of my own making' })
    const body = event({ id: 'a', text: 'The reeds stand high. '.repeat(8) })
    const tally = new Map<string, number>()
    const attack = fc.record({
      way: fc.constantFrom('body', 'truncated', 'longer', 'stale', 'ahead', 'moved', 'renamed', 'key', 'mac', 'none', 'form', 'version'),
      place: fc.nat(10_000),
      bit: fc.integer({ min: 0, max: 7 }),
      seconds: fc.integer({ min: 301, max: 1e9 }),
      hub: fc.boolean(),
    })
    for (const { way, place, bit, seconds, hub: isHub } of fc.sample(attack, { seed: 7, numRuns: 10_000 })) {
      const target = isHub ? hub : standard
      const good = isHub ? github(target.secret, body) : signed(target.secret, body)
      const sent = forged(good, { way, place, bit, seconds, isHub, secret: target.secret })
      const [status, code] = await target.send(sent)
      tally.set(`${status} ${code}`, (tally.get(`${status} ${code}`) ?? 0) + 1)
    }
    for (let i = 0; i < 20; i++) {
      const [status, code] = await standard.send(signed(standard.secret, event({ id: 'a', text: 'x'.repeat(2 * 1024 * 1024 + i) })))
      tally.set(`${status} ${code}`, (tally.get(`${status} ${code}`) ?? 0) + 1)
    }
    expect(Object.fromEntries(tally)).toEqual({ '401 signature_invalid': 10_000, '413 too_large': 20 })
    expect([standard.accepted, hub.accepted]).toEqual([[], []])
    expect([await standard.send(signed(standard.secret, body)), await hub.send(github(hub.secret, body, 'push'))]).toEqual([
      [202, 'j_1'],
      [200, 'ignored'],
    ])
  })

  it('[V215] beyond twenty a minute from an address, wrong signatures and unknown webhooks are refused unread; a sender that was genuine from there is not', async () => {
    const { send, secret, accepted, world, call } = await door({ preset: 'standard' })
    const { hook: other, secret: others } = (await call('POST', '/v1/corpora/here/hooks', { preset: 'standard' })).body
    const from = (address: string, { headers, body }: Sent): Sent => ({ headers: { ...headers, 'cf-connecting-ip': address }, body })
    const [good, bad] = [signed(secret, event()), signed(others, event())]
    const [here, near, far] = ['2001:db8:1:2::a', '2001:db8:1:2:ffff::b', '2001:db8:1:3::a'] // here and near: one /64
    const times = async (sent: Sent, to?: string): Promise<string[]> => {
      const all: string[] = []
      for (let i = 0; i < 25; i++) all.push((await send(sent, to)).join(' '))
      return all
    }
    const some = (n: number, what: string, then: string) => [...Array(n).fill(what), ...Array(25 - n).fill(then)]
    const [WRONG, MISSING, LIMITED] = ['401 signature_invalid', '404 hook_not_found', '429 rate_limited']

    // Wrong signatures: of this webhook alone, and all of the network.
    expect(await times(from(here, bad))).toEqual(some(20, WRONG, LIMITED))
    expect((await send(from(near, good))).join(' ')).toBe(LIMITED)
    expect(await send(from(near, signed(others, event())), other)).toEqual([202, 'j_1'])
    expect(await send(from(far, good))).toEqual([202, 'j_1'])
    expect(await times(from(far, bad))).toEqual(some(25, WRONG, ''))
    expect(await send(from(far, good))).toEqual([202, 'j_1'])
    // Webhooks that are not there: whatever the address asks for, but what was found from there before.
    expect(await times(from(near, good), 'wh_guessed')).toEqual(some(20, MISSING, LIMITED))
    expect((await send(from(here, good), 'wh_another')).join(' ')).toBe(LIMITED)
    expect(await send(from(here, signed(others, event())), other)).toEqual([202, 'j_1'])
    world.clock.now += 60_000
    expect(await send(from(here, good))).toEqual([202, 'j_1'])
    expect(accepted.length).toBe(5)
  })

  it('[V215] the limiter of the whole location counts, too; Loam’s own faults count against nobody', async () => {
    const { send, secret, world, call } = await door({ preset: 'standard' })
    const { hook: other, secret: others } = (await call('POST', '/v1/corpora/here/hooks', { preset: 'standard' })).body
    const counted: string[] = []
    const limitFailed = async (key: string) => counted.push(key) < 2
    Object.assign(world.wired, { limitFailed })
    const from = (secret: string): Sent => {
      const { headers, body } = signed(secret, event())
      return { headers: { ...headers, 'cf-connecting-ip': '192.0.2.7' }, body }
    }
    expect([await send(from(others)), await send(from(others)), await send(from(secret))]).toEqual([
      [401, 'signature_invalid'],
      [429, 'rate_limited'],
      [429, 'rate_limited'],
    ])
    expect(new Set(counted)).toEqual(new Set([expect.stringMatching(/^hook 192\.0\.2\.7 wh_/)]))
    const kept = world.hooks.get(other)
    if (kept) world.hooks.set(other, { ...kept, secrets: [{ sealed: 'b3RoZXI=', until: null }] })
    for (let i = 0; i < 25; i++) expect(await send(from(others), other)).toEqual([503, 'master_key_changed'])
  })

  it('[V213] under another master key it answers so, and works again once it is rotated; what both keys sealed still counts', async () => {
    const { world, id, send, secret } = await door({ preset: 'standard' })
    const lost = createApp(() => ({ ...world.wired, vault: vault('another-master-key') }))
    const post = (sent: Sent) =>
      lost.fetch(
        new Request(`https://loam.test/v1/hooks/${id}`, { method: 'POST', headers: sent.headers, body: sent.body as string }),
        {},
        context,
      )
    const refused = await post(signed(secret, event()))
    const said = await refused.json()
    expect([refused.status, said.code, refused.headers.get('retry-after')]).toEqual([503, 'master_key_changed', '300'])
    expect(said.detail).toMatch(/MASTER_KEY.*:rotate/)
    const rotated = await lost.fetch(
      new Request(`https://loam.test/v1/corpora/here/hooks/${id}:rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
        body: '{"overlap":600}',
      }),
      {},
      context,
    )
    const { secret: fresh } = await rotated.json()
    expect([rotated.status, (await post(signed(fresh, event()))).status, (await post(signed(secret, event()))).status]).toEqual([
      200, 202, 401,
    ])
    expect(await send(signed(secret, event()))).toEqual([503, 'master_key_changed']) // the old key again: it never sealed the new secret
  })

  it('[V8] a removed webhook, or one of another corpus, is 404; without a master key none can be made', async () => {
    const { call, id, send, secret, world } = await door({ preset: 'standard' })
    await call('PUT', '/v1/corpora/there', {})
    expect([(await call('GET', `/v1/corpora/there/hooks/${id}`)).status, (await call('GET', '/v1/corpora/there/hooks')).body.data]).toEqual(
      [404, []],
    )
    expect((await call('POST', `/v1/corpora/there/hooks/${id}:rotate`, {})).status).toBe(404)
    expect((await call('DELETE', `/v1/corpora/here/hooks/${id}`)).status).toBe(204)
    expect(await send(signed(secret, event()))).toEqual([404, 'hook_not_found'])
    const app = createApp(() => ({ ...world.wired, vault: null }))
    const request = new Request('https://loam.test/v1/corpora/here/hooks', {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      body: '{"preset":"standard"}',
    })
    expect((await app.fetch(request, {}, context)).status).toBe(503)
  })
})

interface Attack {
  readonly way: string
  readonly place: number
  readonly bit: number
  readonly seconds: number
  readonly isHub: boolean
  readonly secret: string
}

/** Never the delivery itself: each way changes something that was signed, or the signature. */
function forged(good: Sent, { way, place, bit, seconds, isHub, secret }: Attack): Sent {
  const bytes = new TextEncoder().encode(good.body as string)
  const at = place % bytes.length
  const header = isHub ? 'x-hub-signature-256' : 'webhook-signature'
  const mac = good.headers[header] ?? ''
  const headed = (more: Record<string, string>): Sent => ({ ...good, headers: { ...good.headers, ...more } })
  const timed = (moved: number): Sent =>
    isHub ? headed({ [header]: mac.toUpperCase() }) : signed(secret, good.body as string, { at: NOW + moved * 1000 })
  switch (way) {
    case 'truncated':
      return { ...good, body: bytes.slice(0, at) }
    case 'longer':
      return { ...good, body: `${good.body}${' '.repeat(1 + (place % 9))}` }
    case 'stale':
      return timed(-Math.min(seconds, 1.7e9))
    case 'ahead':
      return timed(seconds)
    case 'moved': // the time alone, within tolerance
      return isHub ? headed({ [header]: mac.slice(0, -1) }) : headed({ 'webhook-timestamp': String(NOW / 1000 + 1 + (place % 299)) })
    case 'renamed':
      return isHub ? headed({ 'x-github-delivery': '' }) : headed({ 'webhook-id': `msg_1.${place}` })
    case 'key': {
      const other = `whsec_${btoa(`another secret ${place}`.padEnd(24, '='))}`
      return isHub ? github(other, good.body as string) : signed(other, good.body as string)
    }
    case 'mac':
      return headed({ [header]: flipped(mac, place) })
    case 'none':
      return { ...good, headers: {} }
    case 'form':
      return headed({
        [header]: ['', 'v1,', 'sha256=', `sha1=${mac.slice(7)}`, mac.slice(3), `${mac}${mac}`, 'v1,====', ' '][place % 8] ?? '',
      })
    case 'version':
      return headed({ [header]: isHub ? mac.replace('sha256', 'sha512') : mac.replace('v1,', 'v2,') })
    default: {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      return { ...good, body: changed }
    }
  }
}

/** Another digit in one place; never the last of base64, whose low bits say nothing. */
function flipped(mac: string, place: number): string {
  const begin = mac.indexOf(mac.startsWith('v1,') ? ',' : '=') + 1
  const at = begin + (place % (mac.length - begin - 2))
  return `${mac.slice(0, at)}${mac[at] === 'a' ? 'b' : 'a'}${mac.slice(at + 1)}`
}
