/** `loam receipts`: what every change touched, oldest first, and the check of the chain. Plain: version, time, documents, chunks, nodes, edges, hash. */
import type { CommitReceipt, CorpusClient } from '../../src/client/client'
import { command, flag, text } from '../command'
import { all, connect, findCorpus, list } from '../connect'
import { Failure, misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, many, type Output } from '../output'
import { wholeNumber } from '../question'

const MAX_FAULTS = 20 // reported at once

export const receipts = command(
  {
    usage: 'receipts [corpus]',
    summary: 'list the receipt of every change; --check verifies their chain',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      after: text('only those of later versions'),
      all: flag('one by one also those that touched only indexes'),
      check: flag('check that each receipt follows from the one before'),
      head: text('a hash noted earlier, to look for in the chain'),
    },
    examples: ['loam receipts birds --after 12', 'loam receipts birds --check --head 9f2c…'],
  },
  async ({ values, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const chained = named === undefined ? await findCorpus(connection) : connection.loam.corpus(named)
    if (values.check || values.head !== undefined) {
      if (values.after !== undefined) throw misuse('--check reads all receipts; leave --after out')
      return check(chained, values.head, out)
    }
    const after = values.after === undefined ? 0 : wholeNumber('after', values.after, 0)
    out.result(await all((paging) => chained.receipts({ ...paging, after })), {
      people: (found) => (values.all ? found.map(formatReceipt) : formatGrouped(found)).join('\n') || 'No receipts.',
      plain: (found) =>
        found
          .map(({ version, at, touched: { documents, chunks, nodes, edges }, hash }) =>
            fields(version, new Date(at).toISOString(), documents, chunks, nodes, edges, hash),
          )
          .join('\n'),
    })
  },
)

/** Those that follow one another and touched only indexes, which are many, as one line. */
export function formatGrouped(found: readonly CommitReceipt[]): readonly string[] {
  const groups: CommitReceipt[][] = []
  for (const one of found) {
    const last = groups.at(-1)
    if (last?.[0] && last[0].partition === one.partition && touchesOnlyIndexes(last[0]) && touchesOnlyIndexes(one)) last.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => (group.length < 3 ? group.map(formatReceipt) : formatRun(group)))
}

const touchesOnlyIndexes = ({ touched: { documents, chunks, nodes, edges } }: CommitReceipt): boolean =>
  documents + chunks + nodes + edges === 0

function formatRun(group: readonly CommitReceipt[]): string {
  const [first, last] = [group[0]?.version, group.at(-1)?.version]
  return `        versions ${first} to ${last}: ${many(group.length, 'receipt')} of changes that touched only indexes (--all lists them)`
}

function formatReceipt({ version, partition, at, touched: { documents, chunks, nodes, edges }, hash }: CommitReceipt): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const counts = `${many(documents, 'document')}, ${many(chunks, 'chunk')}, ${many(nodes, 'node')}, ${many(edges, 'edge')}`
  const where = partition === undefined ? '' : `  partition ${partition}`
  return `${String(version).padStart(6)}${where}  ${when}  ${hash.slice(0, 12)}…  ${counts}`
}

/** Exits with 1 if a receipt does not follow, or none has the noted hash. */
async function check(corpus: CorpusClient, head: string | undefined, out: Output): Promise<void> {
  const { follow } = await import('../verifying/chain')
  const { joinChains, notedHashes } = await import('../../src/core/receipt-chain')
  const chain = new Map()
  const faults: string[] = []
  const wanted = notedHashes(head ?? '')
  let upto = 0
  for await (const one of list((paging) => corpus.receipts(paging))) {
    follow(chain, one, (fault) => void (faults.length < MAX_FAULTS && faults.push(fault)))
    if (wanted.delete(one.hash)) upto += one.version
  }
  const { receipts, version, hash } = joinChains(chain)
  const noted = head === undefined || wanted.size > 0 ? null : upto
  const verdict = faults.length > 0 ? 'broken' : 'whole'
  out.result(
    { verdict, receipts, version, head: hash, ...(head === undefined ? {} : { noted }), faults },
    {
      people: () =>
        `${verdict}: ${many(receipts, 'receipt')} up to version ${version}${noted === null ? '' : `; the hash you noted is that of version ${noted}`}\nhead ${hash}`,
      plain: () => fields(verdict, receipts, version, hash),
    },
  )
  if (faults.length > 0) throw new Failure(`${corpus.name}: ${faults.join('; ')}`)
  if (head !== undefined && noted === null) throw new Failure(`${corpus.name}: no receipt has the hash you noted`)
}
