/** Endpoints and sources as callers meet them. */
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { ADMIN, fakeWorld } from '../http/world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

async function door(more: object = {}) {
  const world = fakeWorld()
  const app = createApp(() => ({ ...world.wired, ...more }))
  const call = async (method: string, path: string, body?: object, key = ADMIN) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await app.fetch(new Request(`https://loam.test/v1/corpora${path}`, init), {}, context)
    return { status: response.status, body: response.status === 204 ? null : await response.json() }
  }
  expect((await call('PUT', '/here', {})).status).toBe(201)
  return { world, call }
}

const REFUSED = [
  'http://example.org/',
  'https://127.0.0.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://2130706433/',
  'https://localhost/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://a.inside.example/',
  'https://user:pass@example.org/',
  'nonsense',
]

describe('endpoints', () => {
  it('[V48] an endpoint’s secret is shown once and stored sealed; a malformed one, and inside addresses, are refused with the reason', async () => {
    const { call, world } = await door()
    const made = await call('POST', '/here/endpoints', { url: 'https://example.org/in#x', events: ['document.ready', 'document.ready'] })
    expect([made.status, made.body.url, made.body.events, made.body.status]).toEqual([
      201,
      'https://example.org/in',
      ['document.ready'],
      'active',
    ])
    expect(made.body.secret).toMatch(/^whsec_/)
    const list = await call('GET', '/here/endpoints')
    const one = await call('GET', `/here/endpoints/${made.body.endpoint}`)
    expect([list.body.data, one.body]).toEqual([[one.body], expect.not.objectContaining({ secret: expect.anything() })])
    const uid = world.corpora.get('here')?.uid ?? ''
    expect(JSON.stringify(await world.wired.outbound(uid).endpoints())).not.toContain(made.body.secret.slice(6, 30))
    for (const path of ['/here/endpoints', '/here/sources']) {
      const more = path.endsWith('sources') ? { every: '1h' } : {}
      for (const url of REFUSED) {
        const { status, body } = await call('POST', path, { url, ...more })
        expect([url, status, body.errors?.[0]?.path]).toEqual([url, 422, 'url'])
      }
      // A name that leads nowhere yet is let in; it is judged whenever it is called.
      expect((await call('POST', path, { url: 'https://nowhere.example/', ...more })).status).toBe(201)
    }
    expect((await call('POST', '/here/endpoints', { url: 'https://example.org/', secret: 'short' })).body.errors[0].path).toBe('secret')
    expect((await call('POST', '/here/endpoints', { url: 'https://example.org/', events: ['document.eaten'] })).status).toBe(422)
    const rotated = await call('POST', `/here/endpoints/${made.body.endpoint}:rotate`, { overlap: 60 })
    expect([rotated.status, rotated.body.secret === made.body.secret]).toEqual([200, false])
    expect((await world.wired.outbound(uid).endpoints())[0]?.secrets.map(({ until }) => until)).toEqual([null, world.clock.now + 60_000])
    expect((await call('DELETE', `/here/endpoints/${made.body.endpoint}`)).status).toBe(204)
    expect((await call('GET', `/here/endpoints/${made.body.endpoint}`)).body.code).toBe('endpoint_not_found')
  })

  it('[V48] deliveries are listed by status and can be sent again; without MASTER_KEY no endpoint can be made', async () => {
    const { call } = await door()
    const { body } = await call('POST', '/here/endpoints', { url: 'https://example.org/' })
    const listed = await call('GET', `/here/endpoints/${body.endpoint}/deliveries?status=dead`)
    expect([listed.status, listed.body.data[0].delivery, typeof listed.body.next_cursor]).toEqual([200, 'dl_1', 'string'])
    expect((await call('GET', `/here/endpoints/${body.endpoint}/deliveries?status=odd`)).status).toBe(422)
    expect((await call('GET', '/here/endpoints/ep_none/deliveries')).body.code).toBe('endpoint_not_found')
    expect((await call('POST', '/here/deliveries/dl_1:redeliver')).status).toBe(202)
    expect((await call('POST', '/here/deliveries/dl_2:redeliver')).body.code).toBe('delivery_not_found')
    const bare = await door({ vault: null })
    expect((await bare.call('POST', '/here/endpoints', { url: 'https://example.org/' })).status).toBe(503)
  })
})

describe('sources', () => {
  it('[V57] a source is made, listed, fetched when asked, and removed; intervals and ids are checked', async () => {
    const { call } = await door()
    const made = await call('POST', '/here/sources', { url: 'https://example.org/a', every: '90m', metadata: { team: 'x' } })
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        url: 'https://example.org/a',
        document: 'https://example.org/a',
        every: '90m',
        on_gone: 'keep',
        status: 'new',
        failures: 0,
        last_result: null,
      },
    ])
    expect((await call('POST', '/here/sources', { url: 'https://example.org/a', every: '1h' })).body.code).toBe('conflict')
    const long = await call('POST', '/here/sources', { url: `https://example.org/${'x'.repeat(300)}`, every: '1d' })
    expect(long.body.document).toBe(long.body.source)
    expect((await call('POST', '/here/sources', { url: 'https://example.org/b', every: '24h', document: 'b' })).body).toMatchObject({
      document: 'b',
      every: '1d',
    })
    for (const every of ['5m', '0h', '31d', '1w', 'often', '']) {
      expect([every, (await call('POST', '/here/sources', { url: 'https://example.org/c', every })).status]).toEqual([every, 422])
    }
    const first = await call('GET', '/here/sources?limit=2')
    const rest = await call('GET', `/here/sources?limit=2&cursor=${first.body.next_cursor}`)
    expect([...first.body.data, ...rest.body.data]).toHaveLength(3)
    expect((await call('POST', `/here/sources/${made.body.source}:fetch`)).status).toBe(202)
    expect((await call('DELETE', `/here/sources/${made.body.source}`)).status).toBe(204)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', ':fetch'],
    ]) {
      expect((await call(method ?? '', `/here/sources/${made.body.source}${path}`)).body.code).toBe('source_not_found')
    }
  })

  it('[V770] a token is stored sealed and never shown; only a source that was made with one is given another', async () => {
    const { call } = await door()
    const token = 'github_pat_never_shown'
    const made = await call('POST', '/here/sources', { kind: 'github', url: 'https://github.com/reeds/birds', every: '1d', token })
    expect([made.status, made.body.credential]).toEqual([201, 'set'])
    const rotated = await call('POST', `/here/sources/${made.body.source}:rotate`, { token: `${token}_2` })
    const shown = [made.body, rotated.body, (await call('GET', '/here/sources')).body, (await call('GET', '/here/audit')).body]
    expect([rotated.status, JSON.stringify(shown).includes(token)]).toEqual([200, false])
    const open = await call('POST', '/here/sources', { url: 'https://example.org/', every: '1d' })
    expect(open.body.credential).toBe(null)
    expect((await call('POST', `/here/sources/${open.body.source}:rotate`, { token })).body.code).toBe('conflict')
    expect((await call('POST', `/here/sources/${open.body.source}:rotate`, {})).body.errors[0].path).toBe('token')
    expect((await call('POST', '/here/sources/src_none:rotate', { token })).body.code).toBe('source_not_found')
    const bare = await door({ vault: null })
    const refused = await bare.call('POST', '/here/sources', { kind: 'github', url: 'https://github.com/a/b', every: '1d', token })
    expect(refused.status).toBe(503)
  })

  it('[V1975] a workspace is followed with the secret of an integration, which is never shown, at an address that is brought to its id', async () => {
    const { call } = await door()
    const token = 'ntn_never_shown'
    const id = '0f0e0d0c0000400080000000000000ab'
    const made = await call('POST', '/here/sources', { kind: 'notion', url: 'https://notion.so/', every: '1h', token })
    expect([made.status, made.body]).toMatchObject([
      201,
      { kind: 'notion', url: 'https://www.notion.so', credential: 'set', document: null },
    ])
    for (const url of [`https://www.notion.so/reeds/Birds-of-the-lake-${id}?v=1&pvs=4#a`, `https://reeds.notion.site/${id}`]) {
      const { body } = await call('POST', '/here/sources', { kind: 'notion', url, every: '1h', token })
      expect([url, body.url]).toEqual([url, `https://www.notion.so/${id}`])
    }
    const rotated = await call('POST', `/here/sources/${made.body.source}:rotate`, { token: `${token}_2` })
    const shown = [made.body, rotated.body, (await call('GET', '/here/sources')).body, (await call('GET', '/here/audit')).body]
    expect([rotated.status, JSON.stringify(shown).includes(token)]).toEqual([200, false])
    const bad: readonly [object, string][] = [
      [{ url: 'https://www.notion.so' }, 'token'],
      [{ url: 'https://www.notion.so', token: 'short' }, 'token'],
      [{ url: 'https://www.notion.so/reeds', token }, 'url'],
      [{ url: `https://notion.so.example.org/${id}`, token }, 'url'],
      [{ url: 'https://reeds.notion.site', token }, 'url'],
      [{ url: 'https://www.notion.so', token, include: ['/a'] }, 'include'],
      [{ url: 'https://www.notion.so', token, ref: 'main' }, 'ref'],
    ]
    for (const [source, path] of bad) {
      const { status, body } = await call('POST', '/here/sources', { kind: 'notion', every: '1d', ...source })
      expect([source, status, body.errors?.[0]?.path]).toEqual([source, 422, path])
    }
    const bare = await door({ vault: null })
    expect((await bare.call('POST', '/here/sources', { kind: 'notion', url: 'https://www.notion.so', every: '1d', token })).status).toBe(
      503,
    )
  })

  it('[V1999] a channel is followed with a bot token, which is never shown, at an address that is brought to its id', async () => {
    const { call } = await door()
    const token = 'xoxb-never-shown'
    const url = 'https://slack.com/archives/C0123456789'
    for (const sent of [url, 'https://reeds.slack.com/archives/C0123456789/', 'https://app.slack.com/client/T0123456789/C0123456789']) {
      const made = await call('POST', '/here/sources', { kind: 'slack', url: sent, every: '1h', token })
      expect([sent, made.status, made.body]).toMatchObject([sent, 201, { kind: 'slack', url, credential: 'set', document: null }])
      expect(JSON.stringify([made.body, (await call('GET', '/here/sources')).body])).not.toContain(token)
    }
    const bad: readonly [object, string][] = [
      [{ url }, 'token'],
      [{ url, token: 'ntn_of_another' }, 'token'],
      [{ url: 'https://slack.com/archives/general', token }, 'url'],
      [{ url: 'https://slack.com', token }, 'url'],
      [{ url: 'https://slack.com.example.org/archives/C0123456789', token }, 'url'],
      [{ url: `${url}/p1700000000000100`, token }, 'url'],
      [{ url, token, include: ['/a'] }, 'include'],
      [{ url, token, ref: 'main' }, 'ref'],
    ]
    for (const [source, path] of bad) {
      const { status, body } = await call('POST', '/here/sources', { kind: 'slack', every: '1d', ...source })
      expect([source, status, body.errors?.[0]?.path]).toEqual([source, 422, path])
    }
  })

  it('[V777] a bucket is followed with an admin key, and only one that is bound; S3 needs both parts of its key', async () => {
    const { call } = await door()
    const made = await call('POST', '/here/sources', { kind: 'r2', url: 'r2://documents/in/', every: '1d' })
    expect(made.body).toMatchObject({
      kind: 'r2',
      url: 'r2://documents/in/',
      on_gone: 'delete',
      gone_after: 1,
      credential: null,
      document: null,
    })
    const kept = await call('POST', '/here/sources', { kind: 'r2', url: 'r2://documents', every: '1d', on_gone: 'keep', gone_after: 3 })
    expect(kept.body).toMatchObject({ on_gone: 'keep', gone_after: 3 })
    const key = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'never-shown-again' }
    const url = 'https://s3.example.org/bucket/in/'
    const s3 = await call('POST', '/here/sources', { kind: 's3', url, every: '1d', region: 'eu-1', ...key })
    expect([s3.status, s3.body.credential, s3.body.region, JSON.stringify(s3.body).includes('never')]).toEqual([201, 'set', 'eu-1', false])
    expect((await call('POST', `/here/sources/${s3.body.source}:rotate`, key)).status).toBe(200)
    expect((await call('POST', `/here/sources/${s3.body.source}:rotate`, { token: 'github_pat_1' })).body.errors[0].path).toBe(
      'access_key_id',
    )
    expect((await call('POST', `/here/sources/${s3.body.source}:rotate`, { access_key_id: 'AKID' })).body.errors[0].path).toBe('token')
    const bad: readonly [object, string][] = [
      [{ kind: 'r2', url: 'r2://elsewhere' }, 'url'],
      [{ kind: 'r2', url: 'https://example.org/documents' }, 'url'],
      [{ kind: 's3', url: 'https://s3.example.org/', ...key }, 'url'],
      [{ kind: 's3', url: 'https://10.0.0.1/bucket', ...key }, 'url'],
      [{ kind: 's3', url, access_key_id: 'AKID' }, 'secret_access_key'],
      [{ kind: 'r2', url: 'r2://documents', ...key }, 'access_key_id'],
    ]
    for (const [source, path] of bad) {
      const { status, body } = await call('POST', '/here/sources', { every: '1d', ...source })
      expect([source, status, body.errors?.[0]?.path]).toEqual([source, 422, path])
    }
    const { body: writer } = await call('POST', '/../keys', { name: 'writer', scopes: ['read', 'write'], corpora: ['here'] })
    expect((await call('POST', '/here/sources', { kind: 'r2', url: 'r2://documents', every: '1d' }, writer.key)).status).toBe(403)
  })

  it('[V693] what is not for its kind, no repository, or out of bounds is refused by name; a source of many is removed with its documents or without', async () => {
    const { call } = await door()
    const url = 'https://example.org/sitemap.xml'
    const bad: readonly [object, string][] = [
      [{ kind: 'sitemap', url, document: 'a' }, 'document'],
      [{ kind: 'sitemap', url, content: 'feed' }, 'content'],
      [{ kind: 'sitemap', url, ref: 'main' }, 'ref'],
      [{ url, include: ['/a'] }, 'include'],
      [{ kind: 'sitemap', url, max_items: 10_001 }, 'max_items'],
      [{ kind: 'sitemap', url, gone_after: 0 }, 'gone_after'],
      [{ kind: 'crawl', url }, 'kind'],
      [{ kind: 'github', url }, 'url'],
      [{ kind: 'sitemap', url, token: 'github_pat_1' }, 'token'],
      [{ kind: 'github', url: 'https://github.com/reeds/birds', token: 'a b c d e f' }, 'token'],
      [{ kind: 'github', url: 'https://github.com/reeds/birds', ref: '../x' }, 'ref'],
    ]
    for (const [source, path] of bad) {
      const { status, body } = await call('POST', '/here/sources', { every: '1d', ...source })
      expect([source, status, body.errors?.[0]?.path]).toEqual([source, 422, path])
    }
    const repository = await call('POST', '/here/sources', { kind: 'github', url: 'https://github.com/reeds/birds.git', every: '1d' })
    expect(repository.body).toMatchObject({ kind: 'github', url: 'https://github.com/reeds/birds', document: null, ref: null })
    const { body: made } = await call('POST', '/here/sources', { kind: 'sitemap', url, every: '1d', include: ['/docs/**'] })
    expect(made).toMatchObject({ kind: 'sitemap', document: null, include: ['/docs/**'], max_items: 1000, gone_after: 2 })
    const at = `/here/sources/${made.source}`
    expect((await call('GET', `${at}/items`)).body.data).toMatchObject([{ status: 'ok', last_result: 'changed' }])
    expect((await call('GET', `${at}/items?status=odd`)).body.errors[0].path).toBe('status')
    expect((await call('DELETE', `${at}?documents=burn`)).body.errors[0].path).toBe('documents')
    const removing = await call('DELETE', `${at}?documents=delete`)
    expect([removing.status, removing.body.status]).toEqual([202, 'removing'])
    expect((await call('DELETE', at)).status).toBe(204)
  })
})
