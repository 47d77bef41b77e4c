/** A file of `loam export` as the corpus it came from: how it was made, its labels, and its documents as they were put. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Failure } from '../failure.mjs'

const MAX_TEXT = 1024 * 1024 // characters of a document, and where its last chunk may begin

/** @returns {Promise<{config: object, labels: {label: string, description?: string, examples: string[]}[], documents: () => Generator<object>}>} */
export async function exported(path) {
  const { about, labels, documents, chunks, ended } = await linesOf(path)
  if (documents.length + labels.length === 0)
    throw new Failure(`${path}: no line of it is a document or a label; \`loam ingest\` takes other JSON lines`)
  if (!ended && documents.some(({ text }) => typeof text !== 'string'))
    throw new Failure(`${path}: the end is missing; the export broke off`)
  const { strategies, settings, default_access } = about
  return {
    config: { ...(strategies ? { strategies } : {}), ...(settings ? { settings } : {}), ...(default_access ? { default_access } : {}) },
    labels: labels.map(({ label, description, examples }) => ({ label, description, examples })),
    *documents() {
      for (const document of documents) yield documentOf(document, chunks, path)
    },
  }
}

async function linesOf(path) {
  const found = { about: {}, labels: [], documents: [], chunks: new Map(), ended: false }
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const row = parsed(line, `${path}, line ${number}`)
    if (row.type === 'corpus') found.about = row
    else if (row.type === 'label') found.labels.push(row)
    else if (row.type === 'document') found.documents.push(row)
    else if (row.type === 'chunk') found.chunks.set(row.id, row.text)
    found.ended ||= row.type === 'end'
  }
  return found
}

function parsed(line, where) {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    throw new Failure(`${where}: is not JSON`)
  }
}

function documentOf({ id, title, url, metadata, access, text, chunks = [] }, texts, path) {
  const whole = typeof text === 'string' ? text : joined(chunks, texts)
  if (whole === undefined) throw new Failure(`${path}: document ${id} has no text, and not all of its chunks are here`)
  const more = { ...(title ? { title } : {}), ...(url ? { url } : {}), ...(metadata ? { metadata } : {}), ...(access ? { access } : {}) }
  return { id, text: whole, ...more }
}

/** Chunks overlap; what lies between two and in neither is blank, and comes back as line breaks, so that offsets hold. */
function joined(chunks, texts) {
  let text = ''
  for (const { chunk, start } of [...chunks].sort((a, b) => a.start - b.start)) {
    const own = texts.get(chunk)
    if (own === undefined) return undefined
    if (start > MAX_TEXT) return undefined
    text = text.padEnd(start, '\n')
    text += own.slice(Math.max(0, text.length - start))
  }
  return chunks.length === 0 ? undefined : text
}
