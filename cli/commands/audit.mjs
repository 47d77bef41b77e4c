/** `loam audit`: who did what to a corpus, newest first; without one, to keys and corpora. Plain: time, key, door, action, what it was done to, outcome. */
import { corpusPath, listed } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { fields } from '../output.mjs'
import { wholeNumber } from '../request.mjs'
import { chosen, connected } from '../settings.mjs'

const USUAL = '100' // entries

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const max = wholeNumber('limit', values.limit ?? USUAL, 1)
  if (values.since !== undefined && Number.isNaN(Date.parse(values.since))) throw misuse('--since: a time such as 2026-11-21T09:00:00Z')
  const path = values.deployment ? '/v1/audit' : corpusPath(positionals[0] ?? (await chosen({ client, corpus })), '/audit')
  const query = values.deployment || values.since === undefined ? {} : { since: values.since }
  const entries = []
  for await (const entry of listed(client, path, query)) {
    if (entries.push(entry) >= max) break
  }
  const line = ({ at, key, door, action, document, subject, outcome }) => fields(at, key, door, action, document ?? subject ?? '', outcome)
  const lines = (all) => all.map(line).join('\n')
  out.result(entries, { people: (all) => lines(all) || 'Nothing yet.', plain: lines })
}
