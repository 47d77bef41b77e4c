/** JSON lines of `loam export`, sent in pieces the service takes. A document's text is in its chunks, so each goes with its own. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { corpusPath } from '../client.mjs'
import { Failure } from '../failure.mjs'
import { fields, many } from '../output.mjs'
import { made } from './made.mjs'
import { settle } from './wait.mjs'

const PIECE = 8 * 1024 * 1024 // bytes; the service takes 16 MiB
const DOCUMENTS = 200 // of a piece, so that progress is seen

export async function exported({ client, corpus, paths, out, wait }) {
  const total = { documents: 0, unchanged: 0, labels: 0, jobs: [] }
  for (const path of paths) {
    const lines = await linesOf(path)
    await made(client, corpus, out)
    for (const body of piecesOf(lines)) {
      const taken = await client.call('POST', corpusPath(corpus, ':import'), { body, type: 'application/x-ndjson' })
      for (const what of ['documents', 'unchanged', 'labels']) total[what] += taken[what]
      total.jobs.push(...taken.jobs)
      out.progress({ share: 0, says: `sent ${many(total.documents, 'document')}` })
    }
  }
  const waiting = total.jobs.map((job) => ({ job, documents: 0 }))
  const failed = []
  let done = 0
  await settle({
    client,
    corpus,
    jobs: { take: async () => (wait ? waiting.shift() : undefined) },
    told({ job, view }) {
      if (view.status === 'succeeded')
        out.progress({ share: ++done / total.jobs.length, says: `indexed ${done} of ${many(total.jobs.length, 'job')}` })
      else if (view.status === 'failed' || view.status === 'cancelled') failed.push(job)
    },
  })
  out.result(
    { corpus, ...total },
    {
      people: (all) => `${many(all.documents, 'document')} (${all.unchanged} unchanged) and ${many(all.labels, 'label')} taken in`,
      plain: (all) => fields('documents', all.documents, all.unchanged, all.labels),
    },
  )
  if (failed.length) throw new Failure(`${many(failed.length, 'job')} failed: ${failed.join(', ')}`)
}

/** What an import takes: labels, documents, and chunks by id. */
async function linesOf(path) {
  const found = { labels: [], documents: [], chunks: new Map() }
  let [number, ended] = [0, false]
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const row = parsed(line, `${path}, line ${number}`)
    if (row.type === 'label') found.labels.push(line)
    else if (row.type === 'document')
      found.documents.push({ line, chunks: (row.chunks ?? []).map(({ chunk }) => chunk), whole: typeof row.text === 'string' })
    else if (row.type === 'chunk') found.chunks.set(row.id, JSON.stringify({ type: 'chunk', id: row.id, text: row.text }))
    ended ||= row.type === 'end'
  }
  if (found.documents.length + found.labels.length === 0)
    throw new Failure(`${path}: no line of it is a document or a label; \`loam ingest\` takes other JSON lines`)
  if (!ended && found.documents.some(({ whole }) => !whole)) throw new Failure(`${path}: the end is missing; the export broke off`)
  return found
}

function parsed(line, where) {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    throw new Failure(`${where}: is not JSON`)
  }
}

export function* piecesOf({ labels, documents, chunks }) {
  let [piece, size, count, inside] = [[], 0, 0, new Set()]
  const groups = [...labels.map((line) => [line]), ...documents.map((one) => groupOf(one, chunks))]
  for (const group of groups) {
    const bytes = group.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    if (count >= DOCUMENTS || (size > 0 && size + bytes > PIECE)) {
      yield piece.join('\n')
      ;[piece, size, count, inside] = [[], 0, 0, new Set()]
    }
    for (const line of group) if (!inside.has(line)) piece.push(line)
    for (const line of group) inside.add(line)
    size += bytes
    count++
  }
  if (piece.length > 0) yield piece.join('\n')
}

const groupOf = ({ line, chunks, whole }, texts) => [line, ...(whole ? [] : chunks.flatMap((id) => texts.get(id) ?? []))]
