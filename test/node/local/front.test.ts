/** The port clients see stays whole while the runtime behind it closes connections, dies and starts again. */
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { front } from '../../../scripts/lib/front.mjs'

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
    const sent = request({ port, host: '127.0.0.1', method, agent, path: '/x?y=%20', headers: { host: 'example.test' } }, (answer) => {
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

it('[L57] a client keeps its connection, while every request reaches the runtime over one of its own', async () => {
  const behind = await runtime((body) => ({ status: 201, body: `got ${body}`, cookies: ['a=1', 'b=2'] }))
  const port = portOf(await before(portOf(behind)))
  const first = await ask(port, { method: 'POST', body: 'héron' })
  const second = await ask(port)
  expect(first).toEqual({ status: 201, body: 'got héron', cookies: ['a=1', 'b=2'], host: 'example.test', reused: false })
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

it('[L59] a request the runtime dropped in the middle is answered 503, and the next one is served', async () => {
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
