/** Downloads one file over HTTP, continuing where an earlier run stopped, and verifies it before it gets its name. */
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Of } from './catalogue.mjs'

const TRIES = 4
const PAUSE = 1000 // ms before the second attempt, doubled for each further one
const REDIRECTS = 5
const SILENCE = 60_000 // ms without a byte, after which the connection counts as lost

/**
 * @param {{ url: string, sha256: string, bytes: number, headers?: Record<string, string> }} source `headers`: sent only to the url's own origin
 * @param {string} path
 * @param {{ heard?: (bytes: number) => void, pause?: number }} [options] `heard`: how much of the file has arrived so far
 */
export async function download(source, path, { heard = () => {}, pause = PAUSE } = {}) {
  if (existsSync(path)) return heard(source.bytes)
  const part = `${path}.part`
  for (let failures = 0; sizeOf(part) < source.bytes; ) {
    const before = sizeOf(part)
    try {
      await further(source, part, heard)
    } catch (error) {
      if (error.isFinal) throw error
      failures = sizeOf(part) > before ? 1 : failures + 1 // a connection that delivered something does not count as a failure
      if (failures >= TRIES)
        throw new Error(
          `${nameOf(source)} was interrupted at ${sizeOf(part)} of ${source.bytes} bytes (${reasonOf(error)}). Run it again to continue.`,
        )
      await sleep(pause * 2 ** (failures - 1))
    }
  }
  if (sizeOf(part) !== source.bytes || (await sha256Of(part)) !== source.sha256) {
    rmSync(part)
    throw new Error(`${nameOf(source)} is not the expected file: its SHA-256 differs. It was deleted; nothing of it was used.`)
  }
  renameSync(part, path)
}

async function further({ url, bytes, headers = {} }, part, heard) {
  let have = sizeOf(part)
  const reply = await opened(url, { own: headers, every: have > 0 ? { range: `bytes=${have}-` } : {} })
  const isContinued = reply.statusCode === 206
  if (!isContinued) have = 0 // the server starts from the beginning
  await written(reply, createWriteStream(part, { flags: isContinued ? 'a' : 'w' }), (piece) => {
    have += piece.byteLength
    if (have > bytes) throw final(`${url} is larger than ${bytes} bytes`)
    heard(have)
  })
  if (have < bytes) throw new Error('the connection ended too soon')
}

/** Everything received is in the file when this ends, even if the connection broke (`pipeline` would drop what is in flight): the next attempt continues after it. */
function written(reply, file, take) {
  return new Promise((resolve, reject) => {
    let failure
    reply.on('data', (piece) => {
      if (failure) return
      try {
        take(piece)
      } catch (error) {
        failure = error
        reply.destroy()
        return
      }
      if (file.write(piece)) return
      reply.pause()
      file.once('drain', () => reply.resume())
    })
    reply.on('error', (error) => {
      failure ??= error
    })
    reply.on('close', () => file.end())
    file.on('error', (error) => {
      failure ??= error
      reply.destroy()
      reject(failure)
    })
    file.on('close', () => (failure ? reject(failure) : resolve()))
  })
}

/**
 * The response whose body is the file. Uses Node's own `http`, since `fetch` fails an assertion when a server closes before its body was
 * read.
 */
async function opened(url, { own, every }, redirects = REDIRECTS) {
  const reply = await new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).get(url, { headers: { ...every, ...own } }, resolve)
    request.on('error', reject)
    request.setTimeout(SILENCE, () => request.destroy(new Error('nothing came for a minute')))
  })
  const { statusCode: status, headers: said } = reply
  if (status === 200 || status === 206) return reply
  reply.resume()
  if (status >= 300 && status < 400 && said.location && redirects > 0) {
    const next = new URL(said.location, url)
    return opened(next.href, { own: next.origin === new URL(url).origin ? own : {}, every }, redirects - 1)
  }
  const message = `${url} answered ${status}`
  throw status >= 400 && status < 500 && status !== 429 ? final(message) : new Error(message)
}

/** Another attempt would not help. */
function final(message) {
  return Object.assign(new Error(message), { isFinal: true })
}

function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

const nameOf = ({ url }) => url.slice(url.lastIndexOf('/') + 1)
const reasonOf = (error) => error.code ?? error.message
