/**
 * The port that clients see. Workerd closes every idle keep-alive connection when its event loop was busy for five seconds (a large commit
 * on a slow machine), along with the requests waiting on them. So clients keep their connections to this server, and each request is
 * forwarded over its own connection. Bodies stream both ways; only the caller is checked (guard.mjs).
 */
import { createServer, request } from 'node:http'
import { guard, isInnerHeader } from './guard.mjs'

const IDLE = 65_000 // ms a client may keep a connection unused; longer than common clients do
const AGAIN = 100 // ms between two attempts to connect while the runtime restarts
const PATIENCE = 10_000 // ms of such attempts
export const FRONT = 'x-loam-front' // tells the runtime that a request came through here
const HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/**
 * @param {() => URL} target called for each request, because a restarted runtime may have another port
 * @param {{listen?: string, names?: readonly string[], secret?: string}} [options] `secret` is sent to the runtime with each request
 */
export async function front(port, target, { listen = '127.0.0.1', names = [], secret = '' } = {}) {
  const refusalOf = guard({ listen, names })
  const server = createServer({ keepAliveTimeout: IDLE, requestTimeout: 0 }, (incoming, outgoing) => {
    const refusal = refusalOf(incoming)
    if (refusal) refuse(incoming, outgoing, refusal)
    else pass(incoming, outgoing, { target, secret, until: Date.now() + PATIENCE })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, listen, resolve)
  })
  return server
}

function pass(incoming, outgoing, onwards) {
  const { target, secret, until } = onwards
  const { hostname, port } = target()
  const { method, url: path, socket } = incoming
  const said = ['cf-connecting-ip', socket.remoteAddress ?? '', FRONT, secret]
  const headers = [...endToEnd(incoming, (name) => isInnerHeader(name) || name === FRONT), ...said]
  const onward = request({ hostname, port, method, path, headers, agent: false, setHost: false })
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.statusMessage, endToEnd(answer))
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  const hangUp = () => onward.destroy() // a client that hangs up ends the forwarded request too
  outgoing.on('close', hangUp)
  onward.on('error', (error) => {
    outgoing.off('close', hangUp)
    const unread = !incoming.readableDidRead // none of the body has been forwarded yet
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
    else if (error.code === 'ECONNREFUSED' && unread && Date.now() < until) setTimeout(pass, AGAIN, incoming, outgoing, onwards)
    else unavailable(outgoing)
  })
  onward.once('socket', (socket) => socket.once('connect', () => incoming.pipe(onward)))
}

/** Name and value in turn, as received: repeated headers stay repeated. */
function endToEnd({ rawHeaders, headers }, isLeftOut = () => false) {
  const isKept = (name) => !HOP.has(name) && !isLeftOut(name)
  const kept = rawHeaders.flatMap((name, at) => (at % 2 === 0 && isKept(name.toLowerCase()) ? [name, rawHeaders[at + 1]] : []))
  const chunked = headers['transfer-encoding'] !== undefined
  return chunked ? [...kept, 'transfer-encoding', 'chunked'] : kept
}

function unavailable(outgoing) {
  answer(outgoing, { title: 'The local runtime does not answer', status: 503, code: 'unavailable' }, { 'retry-after': '1' })
}

/** Its body is not read, so the connection ends with the response. */
function refuse(incoming, outgoing, refusal) {
  answer(outgoing, refusal, { connection: 'close' })
  incoming.resume()
}

function answer(outgoing, problem, headers) {
  outgoing.writeHead(problem.status, { 'content-type': 'application/problem+json', ...headers })
  outgoing.end(JSON.stringify(problem))
}
