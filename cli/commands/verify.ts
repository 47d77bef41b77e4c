/** `loam verify`: checks that an export is complete and unaltered, and has the state that its receipts lead to. Needs no service. */
import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { command, text } from '../command'
import { Failure, misuse } from '../failure'
import { fields, many } from '../output'

export const verify = command(
  {
    usage: 'verify <file>',
    summary: 'check that an export is complete and unaltered, without asking the service',
    maxWords: 1,
    options: { head: text('the hash of its last receipt, as you noted it') },
    examples: ['loam verify birds.jsonl', 'loam verify birds.jsonl --head 9f2c… --json'],
  },
  async ({ values, positionals: [file], out }) => {
    if (file === undefined) throw misuse('name one file: loam verify corpus.jsonl')
    if (statSync(file).isDirectory()) throw misuse(`${file} is a folder; name the file of an export`)
    const { verifyExport } = await import('../verifying/verify-export')
    const found = await verifyExport(createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY }))
    out.result(found, {
      people: ({ verdict, version, rows, receipts, head }) =>
        verdict === 'unchained'
          ? `the file is complete: ${many(rows, 'row')} at version ${version}. This export of a corpus in partitions has no receipts, so nothing proves of which state it is`
          : `${verdict}: ${many(rows, 'row')} at version ${version}, ${many(receipts, 'receipt')}\nhead ${head}`,
      plain: ({ verdict, version, rows, receipts, head }) => fields(verdict, version, rows, receipts, head),
    })
    if (found.verdict === 'moved') throw new Failure(`${file}: the corpus changed while it was exported; take the export again`)
    if (found.verdict === 'broken') throw new Failure(`${file}: ${found.faults.join('; ')}`)
    if (values.head !== undefined && values.head !== found.head) throw new Failure(`${file}: its last receipt is not the one you noted`)
  },
)
