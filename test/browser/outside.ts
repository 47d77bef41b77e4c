/** The world outside, on this machine: a site whose page can vanish, and a receiver of events who can refuse. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Outside {
  readonly url: string
  /** Statuses of what is answered from now on. */
  readonly answers: { page: number; receiver: number }
  /** Types of the events that were received. */
  readonly heard: string[]
  close(): Promise<void>
}

const PAGE =
  '<!doctype html><title>Tides</title><h1>Tides</h1><p>At Skarholm the tide rises by forty centimetres, and Marta Lind wrote it down.</p>'

export async function outside(): Promise<Outside> {
  const answers = { page: 200, receiver: 410 }
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (request.method === 'POST') {
      if (answers.receiver === 200) heard.push(String((JSON.parse(Buffer.concat(pieces).toString()) as { type: string }).type))
      response.writeHead(answers.receiver).end()
    } else if (request.url === '/tides') {
      response.writeHead(answers.page, { 'content-type': 'text/html' }).end(answers.page === 200 ? PAGE : '')
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections() // the runtime keeps its own open
      }),
  }
}
