/**
 * The port clients see. Workerd closes every idle keep-alive connection when its event loop was busy for five seconds (a large
 * commit on a slow machine), together with the requests waiting on them. So clients keep their connections with this server, and
 * each request goes on over a connection of its own. Bodies stream both ways; nothing is looked at or changed.
 */
import { createServer, request } from 'node:http'

const IDLE = 65_000 // ms a client may keep a connection unused; longer than common clients do
const AGAIN = 100 // ms between two tries to connect while the runtime starts again
const PATIENCE = 10_000 // ms of them
const HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/** @param {() => URL} target asked per request, because a runtime that starts again may have another port */
export async function front(port, target) {
  const server = createServer({ keepAliveTimeout: IDLE, requestTimeout: 0 }, (incoming, outgoing) => {
    pass(incoming, outgoing, target, Date.now() + PATIENCE)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}

function pass(incoming, outgoing, target, until) {
  const { hostname, port } = target()
  const { method, url: path } = incoming
  const onward = request({ hostname, port, method, path, headers: endToEnd(incoming), agent: false, setHost: false })
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.statusMessage, endToEnd(answer))
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  const hangUp = () => onward.destroy() // who hangs up, hangs up all the way
  outgoing.on('close', hangUp)
  onward.on('error', (error) => {
    outgoing.off('close', hangUp)
    const unread = !incoming.readableDidRead // nothing of the body was given away yet
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
    else if (error.code === 'ECONNREFUSED' && unread && Date.now() < until) setTimeout(pass, AGAIN, incoming, outgoing, target, until)
    else unavailable(outgoing)
  })
  onward.once('socket', (socket) => socket.once('connect', () => incoming.pipe(onward)))
}

/** Name and value in turn, as they came: repeated headers stay repeated. */
function endToEnd({ rawHeaders, headers }) {
  const kept = rawHeaders.flatMap((name, at) => (at % 2 === 0 && !HOP.has(name.toLowerCase()) ? [name, rawHeaders[at + 1]] : []))
  const chunked = headers['transfer-encoding'] !== undefined
  return chunked ? [...kept, 'transfer-encoding', 'chunked'] : kept
}

function unavailable(outgoing) {
  const body = JSON.stringify({ title: 'The local runtime does not answer', status: 503, code: 'unavailable' })
  outgoing.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' })
  outgoing.end(body)
}
