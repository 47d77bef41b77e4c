/**
 * Is an export complete and unaltered? Adds up the rows' hashes, follows the chain of receipts, and compares the sum with the last state. Pure: lines in, a
 * verdict out; knows no network. The rules are in docs/verify.md.
 */
import { createHash, type Hash } from 'node:crypto'
import { addHash, joinChains } from '../../src/core/receipt-chain'
import { type Chain, follow, type ReceiptLine, sha256 } from './chain'
import { type Line, rowOf } from './rows'

const MAX_FAULTS = 20 // reported at once

export interface Verdict {
  /**
   * `moved`: the corpus changed while it was exported, so its rows come from several versions; export it again. `unchained`: the lines are
   * unaltered, but no receipts say which state they belong to: an export of a corpus in partitions by a release that gave none, or for somebody
   * who may not see all of it.
   */
  readonly verdict: 'whole' | 'moved' | 'unchained' | 'broken'
  readonly version: number
  /** Hash of the last receipt; of a corpus in partitions that of each, joined by commas. */
  readonly head: string
  readonly rows: number
  readonly receipts: number
  readonly faults: readonly string[]
}

/** The first line. */
interface About {
  readonly version: number
  /** Absent: none. */
  readonly partitions?: number
}

/** The last line. */
interface End {
  readonly digest?: string
  readonly counts?: { readonly [type: string]: number }
}

interface Reading {
  readonly faults: string[]
  readonly chain: Chain
  readonly counts: { [type: string]: number }
  file: Hash
  sum: bigint
  rows: number
  number: number
  about?: About
  end?: End
}

/** The lines of `GET …/export?format=jsonl`, without their line breaks. */
export async function verifyExport(lines: AsyncIterable<string> | Iterable<string>): Promise<Verdict> {
  const reading: Reading = { faults: [], file: createHash('sha256'), chain: new Map(), counts: {}, sum: 0n, rows: 0, number: 0 }
  for await (const text of lines) {
    reading.number++
    if (text.trim() === '') continue
    const line = parse(text)
    if (!line) return broken(reading, `line ${reading.number} is not JSON`)
    take(reading, line, text)
  }
  const { about, end } = reading
  if (!about || !end) return broken(reading, 'the beginning or the end is missing: the export was interrupted')
  return judge(reading, about, end)
}

const toHex = (sum: bigint): string => sum.toString(16).padStart(64, '0')

const reporter =
  (faults: string[]) =>
  (fault: string): void =>
    void (faults.length < MAX_FAULTS && faults.push(fault))

function take(reading: Reading, line: Line, text: string): void {
  const report = reporter(reading.faults)
  if (reading.end) report(`line ${reading.number} comes after the end`)
  if (line.type === 'end') {
    reading.end = line as unknown as End
    return
  }
  if (line.type === 'next') {
    if (line.digest !== reading.file.digest('hex'))
      report(`the lines before line ${reading.number} are not those that were written (their digest differs)`)
    reading.file = createHash('sha256').update(`${line.digest}\n`, 'utf8') // each part's digest begins with the one before
    return
  }
  reading.file.update(`${text}\n`, 'utf8')
  if (line.type === 'corpus') {
    reading.about = line as unknown as About
    return
  }
  reading.counts[line.type] = (reading.counts[line.type] ?? 0) + 1
  if (line.type === 'receipt') follow(reading.chain, line as unknown as ReceiptLine, report)
  const row = rowOf(line)
  if (row === null) report(`line ${reading.number} is not a valid ${line.type}`)
  if (!row) return
  reading.rows++
  reading.sum = addHash(reading.sum, sha256(row))
}

function judge(reading: Reading, about: About, end: End): Verdict {
  const { counts, sum, rows } = reading
  const link = joinChains(reading.chain, about.partitions)
  const faults = [...reading.faults]
  const report = reporter(faults)
  if (end.digest !== undefined && end.digest !== reading.file.digest('hex'))
    report('the lines are not those that were written (their digest differs)')
  for (const [type, count] of Object.entries(end.counts ?? {}))
    if ((counts[type] ?? 0) !== count) report(`${count} lines of type ${type} were written, ${counts[type] ?? 0} are here`)
  if (about.partitions !== undefined && link.receipts === 0) {
    return { verdict: faults.length > 0 ? 'broken' : 'unchained', version: about.version, head: link.hash, rows, receipts: 0, faults }
  }
  if (link.receipts === 0 && rows > 0) report('there is no receipt')
  if (link.version < about.version) report(`the receipts end at version ${link.version}, the export is of version ${about.version}`)
  const hasMoved = link.version > about.version
  if (!hasMoved && link.state !== sum) report(`the rows add up to ${toHex(sum)}, the last receipt says ${toHex(link.state)}`)
  const verdict = faults.length > 0 ? 'broken' : hasMoved ? 'moved' : 'whole'
  return { verdict, version: link.version, head: link.hash, rows, receipts: link.receipts, faults }
}

function broken({ faults, chain, rows, about }: Reading, fault: string): Verdict {
  const link = joinChains(chain, about?.partitions)
  return { verdict: 'broken', version: link.version, head: link.hash, rows, receipts: link.receipts, faults: [...faults, fault] }
}

function parse(text: string): Line | undefined {
  try {
    return (JSON.parse(text) as Line | null) ?? undefined
  } catch {
    return undefined
  }
}
