/**
 * What files in base64 inside of JSON cost the Worker's isolate in memory: JSON, tables, subtitles and others, each as large as its door lets it be, through a
 * running Loam over HTTP, alone and several at once. The isolate has the platform's limit (scripts/lib/memory.mjs): one that needs more ends, and the request
 * with it. Before each file the runtime begins anew where `--fresh` is given, so that the figures are that file's own.
 *   npm run bench platform/inside-json [-- --only json,csv --doors document,batch,import,event,mcp --together 4 --fresh]
 */
import { createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'
import { load } from '../lib/processor'
import { type Loam, start } from '../system/loam'
import { bytes, docx, LARGE, MIB, noise, paragraph, pdf, upTo, WORD } from './file-parts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    doors: { type: 'string', default: 'document,batch,import,event,mcp' },
    together: { type: 'string', default: '4' },
    fresh: { type: 'boolean', default: false },
  },
})
const CORPUS = 'bench'
const AGO = 1000 // ms in a second, as the times of signatures have them

/** Of a file of so many bytes, or as many as its kind may have. */
const files: { readonly [name: string]: { readonly type: string; readonly make: (size: number) => string | Uint8Array } } = {
  'json: 290,000 values': {
    type: 'application/json',
    make: (size) => `[${upTo(size - 9, `{"a":"${'x'.repeat(Math.floor(size / 145_000) - 9)}"},`)}1]`,
  },
  'json: one string, not Latin': { type: 'application/json', make: (size) => `["${upTo(size - 9, '鳥')}"]` },
  'json: more values than may be': { type: 'application/json', make: (size) => `[${upTo(size - 9, '{"a":[1,2]},')}1]` },
  'json lines': { type: 'application/x-ndjson', make: (size) => upTo(size, '{"a":[1,{"b":2}]}\n') },
  'csv: 390,000 cells': {
    type: 'text/csv',
    make: (size) => `a,b,c\n${upTo(size - 9, `${'x'.repeat(Math.floor(size / 130_000) - 6)},2,3\n`)}`,
  },
  'csv: short cells, not Latin': { type: 'text/csv', make: (size) => `a,b,c\n${upTo(size - 9, '鳥,2,3\n')}` },
  'subtitles: WebVTT': { type: 'text/vtt', make: (size) => `WEBVTT\n\n${upTo(size - 9, '00:01.000 --> 00:02.000\na\n\n')}` },
  'subtitles: SubRip, long': {
    type: 'application/x-subrip',
    make: (size) => upTo(size, `1\n00:00:01,000 --> 00:00:02,000\n${'鳥 '.repeat(400)}\n\n`),
  },
  'text: 4 MiB, not Latin': { type: 'text/plain', make: (size) => upTo(Math.min(size, 4 * MIB - 1), '鳥 ') },
  'text: twice as long as may be': { type: 'text/plain', make: (size) => upTo(size, '鳥 ') },
  'html: elements': { type: 'text/html', make: (size) => upTo(size, '<p><b></b></p>') },
  notebook: {
    type: 'application/x-ipynb+json',
    make: (size) =>
      `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[${upTo(size - 200, `{"cell_type":"code","source":["a\\n"],"outputs":[{"output_type":"stream","name":"stdout","text":["${'x'.repeat(400)}"]}]},`).slice(0, -1)}]}`,
  },
  mail: {
    type: 'message/rfc822',
    make: (size) =>
      `From: a@example.com\r\nSubject: Herons\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHerons wait.\r\n--b\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${upTo(size - 500, `${'QUJD'.repeat(18)}\r\n`)}--b--\r\n`,
  },
  'docx: empty runs, packed small': { type: WORD, make: () => docx(upTo(LARGE, '<w:p><w:r/></w:p>')) },
  'docx: does not pack': { type: WORD, make: (size) => docx(paragraph(noise(size))) },
  'pdf: one stream, not packed': {
    type: 'application/pdf',
    make: (size) => pdf([{ dictionary: '', data: bytes(upTo(size - 2000, 'q Q ')) }]),
  },
}

interface Door {
  /** Bytes of the files one request brings. */
  readonly sizes: readonly number[]
  readonly send: (loam: Loam, hook: Hook, documents: readonly Sent[]) => Promise<Response>
}
interface Sent {
  readonly id: string
  readonly title: string
  readonly content_base64: string
  readonly content_type: string
}
interface Hook {
  readonly url: string
  readonly secret: string
}

const post = (loam: Loam, path: string, body: string, type = 'application/json', method = 'POST') =>
  fetch(`${loam.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${loam.key}`,
      'content-type': type,
      accept: 'application/json, text/event-stream',
      'idempotency-key': crypto.randomUUID(),
    },
    body,
  })
const within = (most: number): number => Math.floor(((most - 2000) * 3) / 4) // bytes of a file, in base64, inside of a body of so many

const doors: { readonly [name: string]: Door } = {
  document: {
    sizes: [8 * MIB],
    send: (loam, _, [{ id, ...one } = { id: '' }]) =>
      post(loam, `/v1/corpora/${CORPUS}/documents/${id}`, JSON.stringify(one), undefined, 'PUT'),
  },
  batch: {
    sizes: [within(8 * MIB)],
    send: (loam, _, upserts) => post(loam, `/v1/corpora/${CORPUS}/documents:batch`, JSON.stringify({ upserts })),
  },
  import: {
    sizes: [8 * MIB, within(16 * MIB) - 8 * MIB - 1000],
    send: (loam, _, all) =>
      post(
        loam,
        `/v1/corpora/${CORPUS}:import`,
        all.map((one) => JSON.stringify({ type: 'document', ...one })).join('\n'),
        'application/x-ndjson',
      ),
  },
  event: { sizes: [within(8 * MIB)], send: (_, hook, [event]) => signed(hook, JSON.stringify(event)) },
  mcp: {
    sizes: [within(4 * MIB)],
    send: (loam, _, [{ id, ...one } = { id: '' }]) =>
      post(
        loam,
        '/mcp',
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'add_document', arguments: { corpus: CORPUS, id, ...one } },
        }),
      ),
  },
}

function signed({ url, secret }: Hook, body: string): Promise<Response> {
  const [id, at] = [`msg_${crypto.randomUUID()}`, String(Math.floor(Date.now() / AGO))]
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
  const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature }
  return fetch(url, { method: 'POST', headers, body })
}

async function answered(sent: Promise<Response>): Promise<string> {
  try {
    const response = await sent
    const text = await response.text()
    return `${response.status} ${/"code": ?"(\w+)"|(isError)/.exec(text)?.slice(1).find(Boolean) ?? ''}`.trim()
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

const opened = async (): Promise<{ readonly loam: Loam; readonly hook: Hook }> => {
  const loam = await start('hash')
  await loam.client.corpus(CORPUS).create()
  const made = await post(loam, `/v1/corpora/${CORPUS}/hooks`, JSON.stringify({ preset: 'standard' }))
  return { loam, hook: (await made.json()) as Hook }
}

const base64 = (file: string | Uint8Array): string => Buffer.from(typeof file === 'string' ? bytes(file) : file).toString('base64')
const mb = (n: number): string => (n / MIB).toFixed(0)
const only = values.only.split(',').filter(Boolean)
let running = await opened()
try {
  for (const [door, { sizes, send }] of Object.entries(doors).filter(([name]) => values.doors.split(',').includes(name)))
    for (const [name, { type, make }] of Object.entries(files).filter(
      ([name]) => only.length === 0 || only.some((one) => name.startsWith(one)),
    )) {
      if (values.fresh) {
        await running.loam.stop()
        running = await opened()
      }
      const { loam, hook } = running
      const contents = sizes.map((size) => base64(make(size)))
      for (const together of new Set([1, Number(values.together)])) {
        const [since, began] = [await loam.memory(), performance.now()]
        const requests = Array.from({ length: together }, (_, i) => {
          const documents = contents.map((content_base64, k) => ({ id: `d${i}-${k}`, title: '鳥', content_base64, content_type: type }))
          return answered(send(loam, hook, documents))
        })
        const answers = await Promise.all(requests)
        const seconds = (performance.now() - began) / AGO
        const now = await loam.memory()
        console.log(
          `${door}, ${name}, ${sizes.map(mb).join(' and ')} MiB${together > 1 ? `, ${together} at once` : ''}: ${[...new Set(answers)].join(' / ')} after ${seconds.toFixed(1)} s; ` +
            `isolate at most so far ${mb(now.live)} MiB live (heap ${mb(now.heap)}, buffers ${mb(now.buffers)}), ${mb(now.held)} held${now.restarts > since.restarts ? '; IT ENDED' : ''}; ${load()}`,
        )
      }
    }
} finally {
  await running.loam.stop()
}
