/** `loam receipts`: what every change touched, oldest first, and the check of the chain. Plain: version, time, documents, chunks, nodes, edges, hash. */
import { corpusPath, listed } from '../client.mjs'
import { Failure, misuse } from '../failure.mjs'
import { fields, many } from '../output.mjs'
import { wholeNumber } from '../request.mjs'
import { chosen, connected } from '../settings.mjs'
import { beginning, follow } from '../verifying/chain.mjs'

const MOST_FAULTS = 20 // told at once

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const name = positionals[0] ?? (await chosen({ client, corpus }))
  if (values.check || values.head !== undefined) {
    if (values.after !== undefined) throw misuse('--check reads all of them; leave --after out')
    return check({ client, name, head: values.head, out })
  }
  const after = values.after === undefined ? 0 : wholeNumber('after', values.after, 0)
  const receipts = []
  for await (const one of listed(client, corpusPath(name, '/receipts'), { after })) receipts.push(one)
  out.result(receipts, {
    people: (all) => all.map((one) => `${said(one)}`).join('\n') || 'No receipts.',
    plain: (all) =>
      all
        .map(({ version, at, touched: { documents, chunks, nodes, edges }, hash }) =>
          fields(version, new Date(at).toISOString(), documents, chunks, nodes, edges, hash),
        )
        .join('\n'),
  })
}

function said({ version, at, touched: { documents, chunks, nodes, edges }, hash }) {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const counts = `${many(documents, 'document')}, ${many(chunks, 'chunk')}, ${many(nodes, 'node')}, ${many(edges, 'edge')}`
  return `${String(version).padStart(6)}  ${when}  ${hash.slice(0, 12)}…  ${counts}`
}

/** Ends with 1 where a receipt does not follow, or none has the hash that was noted. */
async function check({ client, name, head, out }) {
  const chain = beginning()
  const faults = []
  let noted = null
  for await (const one of listed(client, corpusPath(name, '/receipts'))) {
    follow(chain, one, (fault) => void (faults.length < MOST_FAULTS && faults.push(fault)))
    if (one.hash === head) noted = one.version
  }
  const { receipts, version, hash } = chain
  const verdict = faults.length > 0 ? 'broken' : 'whole'
  out.result(
    { verdict, receipts, version, head: hash, ...(head === undefined ? {} : { noted }), faults },
    {
      people: () =>
        `${verdict}: ${many(receipts, 'receipt')} up to version ${version}${noted === null ? '' : `; the one you noted is that of version ${noted}`}\nhead ${hash}`,
      plain: () => fields(verdict, receipts, version, hash),
    },
  )
  if (faults.length > 0) throw new Failure(`${name}: ${faults.join('; ')}`)
  if (head !== undefined && noted === null) throw new Failure(`${name}: no receipt has the hash you noted`)
}
