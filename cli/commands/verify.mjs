/** `loam verify`: is an export whole and unaltered, and is it of the state its receipts lead to? Needs no service. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Failure, misuse } from '../failure.mjs'
import { fields, many } from '../output.mjs'
import { verified } from '../verifying/verified.mjs'

export async function run({ values, positionals, out }) {
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw misuse('name one file: loam verify corpus.jsonl')
  const found = await verified(createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY }))
  out.result(found, {
    people: ({ verdict, version, rows, receipts, head }) =>
      `${verdict}: ${many(rows, 'row')} at version ${version}, ${many(receipts, 'receipt')}\nhead ${head}`,
    plain: ({ verdict, version, rows, receipts, head }) => fields(verdict, version, rows, receipts, head),
  })
  if (found.verdict === 'moved') throw new Failure(`${file}: the corpus changed while it was exported; take the export again`)
  if (found.verdict === 'broken') throw new Failure(`${file}: ${found.faults.join('; ')}`)
  if (values.head !== undefined && values.head !== found.head) throw new Failure(`${file}: its last receipt is not the one you noted`)
}
