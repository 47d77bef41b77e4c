/**
 * `loam documents`: lists a corpus's documents by id, and switches them off or on. Plain: id, status (or off), chunks, version of its content, title · id,
 * off or on, version.
 */
import type { CorpusClient, Document } from '../../src/client/client'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields, many, type Output } from '../output'
import { wholeNumber } from '../question'
import { table } from '../table'

const STATUSES = ['queued', 'indexing', 'ready', 'partial', 'failed'] as const
const LIMIT = 100 // shown at a terminal

export const documents = command(
  {
    usage: 'documents [part of an id | off <document>… | on <document>…]',
    verbs: ['off', 'on'],
    summary: 'list the documents of a corpus, by id; switch them off without deleting them, and on again',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...corpus,
      ...asker,
      status: text(`only documents that are ${STATUSES.join(', ')}`, { choices: STATUSES }),
      limit: text(`at most this many (${LIMIT} at a terminal, otherwise all)`),
    },
    examples: [
      'loam documents',
      'loam documents --status failed',
      'loam documents handbook/ | cut -f1',
      'loam documents off prices-2023.md',
    ],
  },
  async ({ values, positionals: [first = '', ...ids], out, env }) => {
    const held = await findCorpus(connect({ values, env }))
    if (first === 'off' || first === 'on') return change(held, { ids, isOn: first === 'on' }, out)
    if (ids.length > 0) throw misuse(`"${first}": expected off, on, or one part of an id`)
    const limit = values.limit ? wholeNumber('limit', values.limit) : out.isForPeople ? LIMIT : Number.POSITIVE_INFINITY
    const found: Document[] = []
    let isMore = false
    for await (const one of held.documents()) {
      if (!one.document.includes(first) || (values.status !== undefined && one.status !== values.status)) continue
      isMore = found.length === limit
      if (isMore) break
      found.push(one)
    }
    const none = first === '' ? 'No documents; `loam ingest` takes files in.' : `No document has "${field(first)}" in its id.`
    const end = isMore ? `The first ${many(found.length, 'document')}; --limit shows more.` : many(found.length, 'document')
    out.result(found, {
      people: (rows) => (rows.length === 0 ? none : `${formatTable(rows, out)}\n${end}`),
      plain: (rows) => rows.map((one) => fields(one.document, statusOf(one), one.chunks, one.content_version, one.title)).join('\n'),
    })
  },
)

async function change(
  held: CorpusClient,
  { ids, isOn }: { readonly ids: readonly string[]; readonly isOn: boolean },
  out: Output,
): Promise<void> {
  const action = isOn ? 'on' : 'off'
  if (ids.length === 0) throw misuse(`which document? loam documents ${action} <document>…`)
  const patched = []
  for (const id of ids) patched.push(await held.setActive(id, isOn))
  const effect = isOn ? 'is switched on' : 'is switched off'
  out.result(patched, {
    people: (rows) => rows.map(({ document, version }) => `${field(document)} ${effect}, from version ${version} on.`).join('\n'),
    plain: (rows) => rows.map(({ document, version }) => fields(document, action, version)).join('\n'),
  })
}

/** `off` matters more than the progress. A service of an earlier release does not report it. */
const statusOf = ({ active, status }: Document): string => (active === false ? 'off' : status)

const formatTable = (rows: readonly Document[], out: Output): string =>
  table(
    ['document', 'status', 'chunks', 'title'],
    rows.map((one) => [one.document, one.error ? `${statusOf(one)}: ${one.error}` : statusOf(one), one.chunks, one.title]),
    out,
  )
