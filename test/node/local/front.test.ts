/** The port clients see stays whole while the runtime behind it closes connections, dies and starts again, and answers no web page but its own. */
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { cameByTheFront } from '../../../local/platform/front'
import { front } from '../../../scripts/lib/front.mjs'
import { adminKey, guard } from '../../../scripts/lib/guard.mjs'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port
type Answer = (body: string) => { readonly status?: number; readonly body: string; readonly cookies?: string[] }

/** A runtime that counts connections; `port` 0 is any. */
async function runtime(answer: Answer, port = 0): Promise<Server & { connections: number }> {
  const server = Object.assign(
    createServer(async (incoming, outgoing) => {
      let body = ''
      for await (const part of incoming.setEncoding('utf8')) body += part
      const said = answer(body)
      outgoing.writeHead(said.status ?? 200, { 'set-cookie': said.cookies ?? [], 'x-host': incoming.headers.host ?? '' }).end(said.body)
    }),
    { connections: 0 },
  )
  server.on('connection', () => server.connections++)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  open.push(server)
  return server
}

async function before(port: number): Promise<Server> {
  const server = await front(0, () => new URL(`http://127.0.0.1:${port}`))
  open.push(server)
  return server
}

interface Got {
  readonly status: number | undefined
  readonly body: string
  readonly cookies: readonly string[]
  readonly host: unknown
  readonly reused: boolean
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function ask(port: number, { method = 'GET', body = '' } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, agent, path: '/x?y=%20', headers: { host: 'localhost:1' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          body: text,
          cookies: answer.headers['set-cookie'] ?? [],
          host: answer.headers['x-host'],
          reused: sent.reusedSocket,
        }),
      )
    })
    sent.on('error', reject).end(body)
  })
}

it('[L58] a client keeps its connection, while every request reaches the runtime over one of its own', async () => {
  const behind = await runtime((body) => ({ status: 201, body: `got ${body}`, cookies: ['a=1', 'b=2'] }))
  const port = portOf(await before(portOf(behind)))
  const first = await ask(port, { method: 'POST', body: 'héron' })
  const second = await ask(port)
  expect(first).toEqual({ status: 201, body: 'got héron', cookies: ['a=1', 'b=2'], host: 'localhost:1', reused: false })
  expect([second.reused, behind.connections]).toEqual([true, 2])
})

it('[L58] a request waits for a runtime that is starting again', async () => {
  const behind = await runtime(() => ({ body: 'old' }))
  const taken = portOf(behind)
  const port = portOf(await before(taken))
  await new Promise((resolve) => behind.close(resolve))
  const waiting = ask(port, { method: 'POST', body: 'x' })
  await runtime((body) => ({ body: `new ${body}` }), taken)
  expect(await waiting).toMatchObject({ status: 200, body: 'new x' })
})

it('[L58] a request the runtime dropped in the middle is answered 503, and the next one is served', async () => {
  let drop = true
  const behind = await runtime(() => {
    if (drop) behind.closeAllConnections()
    return { body: 'served' }
  })
  const port = portOf(await before(portOf(behind)))
  expect((await ask(port, { method: 'POST', body: 'x' })).status).toBe(503)
  drop = false
  expect(await ask(port)).toMatchObject({ status: 200, body: 'served' })
})

describe('a local server answers', () => {
  type Headers = { readonly [name: string]: string }
  const asked = (headers: Headers, { method = 'GET', url = '/v1/corpora' } = {}, options = {}) =>
    guard(options)({ headers, method, url } as never)?.code ?? 'answered'

  it('[L180] requests by its own name, and none from a page whose name has been made to lead to it', () => {
    const own = ['127.0.0.1:8787', 'localhost:8787', 'LOCALHOST', '[::1]:8787', '127.0.0.2', '2130706433:8787'] // the last is 127.0.0.1
    const other = [
      'evil.example:8787',
      '192.168.1.7:8787',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '',
      'a b',
      '0.0.0.0:8787',
      '[::ffff:8.8.8.8]',
    ]
    expect(own.map((host) => asked({ host }))).toEqual(own.map(() => 'answered'))
    expect(other.map((host) => asked({ host }))).toEqual(other.map(() => 'wrong_host'))
    expect(asked({ host: 'loam.lan' }, {}, { names: ['Loam.lan'] })).toBe('answered')
    const beyond = { listen: '0.0.0.0', names: ['loam.lan'] }
    const hosts = ['192.168.1.7:8787', '[fd00::7]:8787', 'loam.lan', 'evil.example']
    expect(hosts.map((host) => asked({ host }, {}, beyond))).toEqual(['answered', 'answered', 'answered', 'wrong_host'])
  })

  it('[L180] its own page, and no other that is open in a browser', () => {
    const host = '127.0.0.1:8787'
    const origins = ['http://127.0.0.1:8787', 'http://127.0.0.1:3000', 'http://localhost:8787', 'https://evil.example', 'null', 'x']
    expect(origins.map((origin) => asked({ host, origin }, { method: 'POST' }))).toEqual(['answered', ...Array(5).fill('foreign_origin')])
    const fetched = (site: string, mode: string, method = 'GET') =>
      asked({ host, 'sec-fetch-site': site, 'sec-fetch-mode': mode }, { method })
    expect([fetched('same-origin', 'cors'), fetched('none', 'navigate'), fetched('cross-site', 'navigate')]).toEqual(
      Array(3).fill('answered'),
    )
    const refused = [fetched('cross-site', 'no-cors'), fetched('same-site', 'cors'), fetched('cross-site', 'navigate', 'POST')]
    expect(refused).toEqual(Array(3).fill('foreign_origin'))
  })

  it('[L182] nothing meant for the runtime: neither its paths nor its headers get through, and the runtime answers only the server', async () => {
    const host = 'localhost'
    const paths = [
      '/cdn-cgi/handler/scheduled',
      '//cdn-cgi/x',
      '/%63dn-cgi/x',
      '/a/../cdn-cgi/x',
      '/CDN-CGI',
      '/\\cdn-cgi/x',
      'http://localhost/v1/corpora',
      '*',
    ]
    expect(paths.map((url) => asked({ host }, { url }))).toEqual(paths.map(() => 'not_found'))
    expect(asked({ host }, { url: '/v1/corpora/a/documents/cdn-cgi' })).toBe('answered')
    let heard: Headers = {}
    const behind = createServer((incoming, outgoing) => {
      heard = incoming.headers as Headers
      outgoing.end()
    })
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
    open.push(behind)
    const server = await front(0, () => new URL(`http://127.0.0.1:${portOf(behind)}`), { secret: 'of this run' })
    open.push(server)
    const headers = {
      host,
      'MF-Route-Override': 'stand-ins',
      'mf-original-url': 'http://x/',
      'CF-Connecting-IP': '9.9.9.9',
      'x-loam-front': 'guessed',
      'x-kept': '1',
    }
    await new Promise<void>((resolve, reject) => {
      const sent = request({ port: portOf(server), host: '127.0.0.1', path: '/', headers }, (answer) => answer.resume().on('end', resolve))
      sent.on('error', reject).end()
    })
    const inner = Object.keys(heard).filter((name) => /^(mf|cf)-/.test(name))
    expect([inner, heard['cf-connecting-ip'], heard['x-loam-front'], heard['x-kept']]).toEqual([
      ['cf-connecting-ip'],
      '127.0.0.1',
      'of this run',
      '1',
    ])
    const direct = (secret: string | null) =>
      new Request('http://127.0.0.1:1/v1/corpora', secret === null ? {} : { headers: { 'x-loam-front': secret } })
    const let_in = [null, 'guessed', 'of this run'].map((secret) => cameByTheFront(direct(secret), { FRONT_SECRET: 'of this run' }))
    expect([...let_in, cameByTheFront(direct(null), {})]).toEqual([false, false, true, true])
  })

  it('[L182] beyond this machine never with the published key: with one of one’s own, or one that was made and is kept', () => {
    const own = () => 'made at random'
    const key = (listen: string, given?: string) => adminKey({ listen, given, own })
    expect(['127.0.0.1', '::1', 'localhost'].map((listen) => key(listen))).toEqual(Array(3).fill('local-development-key'))
    expect(['0.0.0.0', '::', '192.168.1.7', 'loam.lan'].map((listen) => key(listen))).toEqual(Array(4).fill('made at random'))
    expect(key('0.0.0.0', 'my own')).toBe('my own')
    expect(() => key('0.0.0.0', 'local-development-key')).toThrow('is published')
  })
})
