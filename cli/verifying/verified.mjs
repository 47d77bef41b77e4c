/**
 * Is an export whole and unaltered? Adds up the rows' hashes, follows the chain of receipts, and compares the sum with the last state.
 * Pure: lines in, a verdict out; knows no network and nothing of the service's code. The rules stand in docs/verify.md.
 */
import { createHash } from 'node:crypto'
import { added, beginning, canonical, follow, hex, sha256 } from './chain.mjs'

export { canonical }

const MOST_FAULTS = 20 // told at once
const EDGES = new Set(['relates', 'member', 'indicates', 'links'])

const ROW = {
  document: ({ id, title, url, metadata, chunks }) => [
    'document',
    id,
    title,
    url,
    metadata,
    chunks.map(({ chunk, start }) => [chunk, start]),
  ],
  chunk: ({ id, title, text, tokens, own }) => ['chunk', id, title, text, tokens, own],
  node: ({ id, kind, layer, text, tokens, stale, data }) => ['node', id, kind, layer, text, tokens, stale === true, data],
  edge: ({ kind, source, target, weight, data }) => ['edge', kind, source, target, Math.fround(weight), data ?? null],
}

/** What is hashed of a row, or undefined for a line that is none. */
function rowOf(line) {
  if (!Object.hasOwn(ROW, line.type) || (line.type === 'edge' && !EDGES.has(line.kind))) return undefined
  return canonical(ROW[line.type](line)).replaceAll(/(?:\\ud[89a-f][0-9a-f]{2}|\uFFFD)+/g, '\uFFFD')
}

/**
 * @param {AsyncIterable<string> | Iterable<string>} lines of `GET …/export?format=jsonl`, without their line breaks
 * @returns {Promise<{verdict: 'whole' | 'moved' | 'broken', version: number, head: string, rows: number, receipts: number, faults: string[]}>}
 * `moved`: the corpus changed while it was exported, so its rows are of several versions; take the export again.
 */
export async function verified(lines) {
  const read = { faults: [], file: createHash('sha256'), chain: beginning(), counts: {}, sum: 0n, rows: 0, number: 0 }
  for await (const text of lines) {
    read.number++
    if (text.trim() === '') continue
    const line = parsed(text)
    if (!line) return broken(read, `line ${read.number} is not JSON`)
    take(read, line, text)
  }
  if (!read.about || !read.end) return broken(read, 'the beginning or the end is missing: the export broke off')
  return judged(read)
}

function take(read, line, text) {
  const fault = (says) => void (read.faults.length < MOST_FAULTS && read.faults.push(says))
  if (read.end) fault(`line ${read.number} stands behind the end`)
  if (line.type === 'end') {
    read.end = line
    return
  }
  if (line.type === 'next') {
    if (line.digest !== read.file.digest('hex'))
      fault(`the lines before line ${read.number} are not those that were written (their digest differs)`)
    read.file = createHash('sha256').update(`${line.digest}\n`, 'utf8') // each part's digest begins with the one before
    return
  }
  read.file.update(`${text}\n`, 'utf8')
  if (line.type === 'corpus') {
    read.about = line
    return
  }
  read.counts[line.type] = (read.counts[line.type] ?? 0) + 1
  if (line.type === 'receipt') follow(read.chain, line, fault)
  const row = shaped(line)
  if (row === null) fault(`line ${read.number} is no ${line.type} as it should be`)
  if (!row) return
  read.rows++
  read.sum = added(read.sum, sha256(row))
}

function judged({ faults: known, file, chain, counts, sum, rows, about, end }) {
  const faults = [...known]
  const fault = (says) => void (faults.length < MOST_FAULTS && faults.push(says))
  if (end.digest !== undefined && end.digest !== file.digest('hex'))
    fault('the lines are not those that were written (their digest differs)')
  for (const [type, count] of Object.entries(end.counts ?? {}))
    if ((counts[type] ?? 0) !== count) fault(`${count} lines of type ${type} were written, ${counts[type] ?? 0} are here`)
  if (chain.receipts === 0 && rows > 0) fault('there is no receipt')
  if (chain.version < about.version) fault(`the receipts end at version ${chain.version}, the export is of version ${about.version}`)
  const moved = chain.version > about.version
  if (!moved && chain.state !== sum) fault(`the rows add up to ${hex(sum)}, the last receipt says ${hex(chain.state)}`)
  const verdict = faults.length > 0 ? 'broken' : moved ? 'moved' : 'whole'
  return { verdict, version: chain.version, head: chain.hash, rows, receipts: chain.receipts, faults }
}

function broken({ faults, chain, rows }, says) {
  return { verdict: 'broken', version: chain.version, head: chain.hash, rows, receipts: chain.receipts, faults: [...faults, says] }
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

/** null: a row whose parts are missing. */
function shaped(line) {
  try {
    return rowOf(line)
  } catch {
    return null
  }
}
