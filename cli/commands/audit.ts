/** `loam audit`: who did what to a corpus, newest first; without one, to keys and corpora. Plain: time, key, door, action, what it was done to, outcome. */
import type { AuditEntry, DeploymentEntry } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus, list } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields } from '../output'
import { wholeNumber } from '../question'

const MAX_ENTRIES = '100' // by default

type Entry = AuditEntry | DeploymentEntry

export const audit = command(
  {
    usage: 'audit [corpus]',
    summary: 'show who did what to a corpus, newest first; --deployment: to keys and corpora',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      deployment: flag('who created, rotated and revoked keys, and created and deleted corpora'),
      since: text('only entries since this time'),
      limit: text('at most this many (100)'),
    },
    examples: ['loam audit birds --since 2026-11-01', 'loam audit --deployment --json'],
  },
  async ({ values: { deployment, since, limit, ...values }, positionals: [named], out, env }) => {
    const connection = connect({ values, env })
    const { loam } = connection
    const max = wholeNumber('limit', limit ?? MAX_ENTRIES, 1)
    if (since !== undefined && Number.isNaN(Date.parse(since))) throw misuse('--since: expected a time such as 2026-11-21T09:00:00Z')
    const corpus = deployment ? undefined : named === undefined ? await findCorpus(connection) : loam.corpus(named)
    const source: AsyncIterable<Entry> = corpus
      ? list((paging) => corpus.audit({ ...paging, ...(since === undefined ? {} : { since }) }))
      : list((paging) => loam.audit(paging))
    const entries: Entry[] = []
    for await (const entry of source) {
      if (entries.push(entry) >= max) break
    }
    const lines = (all: readonly Entry[]): string => all.map(formatEntry).join('\n')
    out.result(entries, { people: (all) => lines(all) || 'Nothing yet.', plain: lines })
  },
)

function formatEntry(entry: Entry): string {
  const { at, key, door, action, subject, outcome } = entry
  return fields(at, key, door, action, ('document' in entry ? entry.document : null) ?? subject ?? '', outcome)
}
