/** What the command says where something else answers, the address is none, or a file is no file: one sentence, its exit code, and no stack. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loam } from './loam'
import { type Service, service } from './service'

const SECOND = 1000
const PATIENCE = 170 * SECOND
const json = (text: string, status = 200) => [status, 'application/json', text] as const
const answers: { readonly [path: string]: readonly [status: number, type: string, text: string] } = {
  page: [200, 'text/html', '<html>Sign in</html>'],
  half: json('{"data": [{"corp'),
  nothing: json(''),
  null: json('null'),
  list: json('[1,2]'),
  other: json('{"data": "none", "evidence": 5}'),
  bytes: json('\u0000\u0001'),
  events: [200, 'text/event-stream', 'event: token\ndata: {"half'],
  odd: json('{"code": 5, "detail": {}, "errors": "x"}', 422),
  empty: [204, '', ''],
}

let url = ''
let folder = ''
let real: Service
const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const name = request.url?.split('/')[1] ?? ''
  if (name === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"data":[')
    setTimeout(() => request.socket.destroy(), 20)
    return
  }
  if (name === 'gzip')
    return void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('no gzip')
  const [status, type, text] = answers[name] ?? [404, 'text/html', 'nothing']
  response.writeHead(status, { 'content-type': type }).end(text)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'loam-hostile-'))
  real = await service()
})
afterAll(async () => {
  server.close()
  rmSync(folder, { recursive: true })
  await real.stop()
})

const STACK = /^\s+at |node:internal|Node\.js v/m
const run = async (args: readonly string[], env: { readonly [name: string]: string } = {}) => {
  const { code, said, out } = await loam(args, { cwd: folder, env })
  expect([args, STACK.test(said) || STACK.test(out)]).toEqual([args, false])
  return { code, said, out }
}

it('[N1960] whatever answers in Loam’s place is told in a sentence, by the service’s word for it and exit code 1', {
  timeout: PATIENCE,
}, async () => {
  const status = async (name: string) => {
    const { code, said } = await run(['status', '--json', '--url', `${url}/${name}`, '--key', 'k'])
    return [name, code, (JSON.parse(said.trim().split('\n').at(-1) ?? '') as { error: { code: string } }).error.code]
  }
  for (const name of ['page', 'half', 'nothing', 'null', 'list', 'other', 'bytes', 'events', 'empty'])
    expect(await status(name)).toEqual([name, 1, 'not_loam'])
  for (const name of ['cut', 'gzip']) expect(await status(name)).toEqual([name, 1, 'broken_off'])
  expect(await status('odd')).toEqual(['odd', 1, 'http_422'])
  const page = await run(['ask', 'Who waits?', '--corpus', 'c', '--url', `${url}/page`])
  expect(page.said).toBe(
    `loam: The answer did not come from Loam (it sent text/html from ${url}). (not_loam)\nIs that the address? --url, LOAM_URL or \`loam init\`.\n`,
  )
  for (const name of ['page', 'null', 'cut'])
    expect(await run(['export', 'c', '--url', `${url}/${name}`])).toMatchObject({
      code: 1,
      out: '',
      said: expect.stringContaining('not_loam'),
    })
})

it('[N1960] what nobody expected is one sentence, too; LOAM_DEBUG=1 shows where it was', { timeout: PATIENCE }, async () => {
  const args = ['search', 'heron', '--corpus', 'c', '--url', `${url}/other`]
  const { code, said } = await run(args)
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^loam: this should not have happened: .+\nIf what answered is Loam, it is a defect of loam .+\n$/),
  ])
  expect((await loam(args, { cwd: folder, env: { LOAM_DEBUG: '1' } })).said).toMatch(STACK)
})

it('[N1961] an address that is none, and a key or principal that cannot be sent, are misused; settings that are none are not remembered', {
  timeout: PATIENCE,
}, async () => {
  for (const [given, word] of [
    ['nonsense', 'not a valid address'],
    ['ftp://x', 'neither https:// nor http://'],
    ['http://u:p@127.0.0.1/', 'no name and no password'],
    [`${url}?x=1`, 'ends before ? and #'],
    [`${url}/#x`, 'ends before ? and #'],
  ] as const)
    expect([given, await run(['status', '--url', given])]).toMatchObject([given, { code: 2, said: expect.stringContaining(word) }])
  for (const [name, given] of [
    ['--key', 'a\nb'],
    ['--key', '🦆'],
    ['--as', 'a\nb'],
  ] as const)
    expect([given, await run(['search', 'x', '--corpus', 'c', name, given, '--url', url])]).toMatchObject([
      given,
      { code: 2, said: expect.stringContaining('cannot be sent') },
    ])
  mkdirSync(join(folder, 'settings/loam'), { recursive: true })
  for (const remembered of ['null', '5', '[]', '{"url":5,"key":{}}', '{']) {
    writeFileSync(join(folder, 'settings/loam/config.json'), remembered)
    const { code, said } = await run(['status'], { XDG_CONFIG_HOME: join(folder, 'settings'), LOAM_URL: `${url}/none`, LOAM_KEY: 'k\n' })
    expect([remembered, code, said]).toEqual([remembered, 1, 'loam: 404 at /v1/corpora (http_404)\n'])
  }
})

it('[N1962] what is neither a file nor a folder is refused where it is named, and passed over in a folder', {
  timeout: PATIENCE,
}, async () => {
  const docs = join(folder, 'docs')
  mkdirSync(docs)
  writeFileSync(join(docs, 'new\nline.txt'), 'A heron waits.')
  writeFileSync(join(docs, '🦆.md'), 'A duck.')
  symlinkSync('/dev/zero', join(docs, 'endless.txt'))
  symlinkSync('round', join(docs, 'round'))
  symlinkSync('.', join(docs, 'self'))
  execFileSync('mkfifo', [join(docs, 'pipe.txt')])
  const ingest = (...files: string[]) => run(['ingest', ...files, '--corpus', 'c', '--yes', '--url', real.url, '--key', 'k'])
  for (const one of ['docs/pipe.txt', 'docs/endless.txt', '/dev/zero'])
    expect([one, await ingest(one)]).toMatchObject([one, { code: 2, said: `loam: ${one}: neither a file nor a folder\n` }])
  await ingest('docs')
  expect([...real.documents.keys()].filter((id) => !id.includes('self')).sort()).toEqual(['docs/new\nline.txt', 'docs/🦆.md'])
  expect(await run(['verify', 'docs'])).toMatchObject({ code: 2, said: 'loam: docs is a folder; name the file of an export\n' })
})

it('[N1962] a message is as long as can be read, and steers no terminal; output that cannot be written is a failure', {
  timeout: PATIENCE,
}, async () => {
  expect((await run(['x'.repeat(100_000)])).said.length).toBeLessThan(2100)
  expect((await run(['\u001b[31mred\u0007'])).said).toBe('loam: there is no command "[31mred"; loam --help lists them\n')
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, ['cli/loam.mjs', '--help'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, 'loam: ENOSPC: no space left on device, write\n'])
})
