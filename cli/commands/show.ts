/** `loam show`: a document as it is kept, or its chunks. Plain: its text alone; of each chunk its ordinal, id, start, end, passages, who read it, place, names. */
import type { CorpusClient, Document, DocumentChunk } from '../../src/client/client'
import { formatLocation } from '../../src/client/location'
import { command, flag } from '../command'
import { all, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields, many, type Output, safe } from '../output'

export const show = command(
  {
    usage: 'show <document>',
    summary: 'show a document: its text and details, or its chunks',
    maxWords: 1,
    options: { ...service, ...corpus, ...asker, chunks: flag('its chunks: where each stands, who read it, whom it mentions') },
    examples: [
      'loam show handbook/refunds.md',
      'loam show handbook/refunds.md --json | jq .metadata',
      'loam show handbook/refunds.md --chunks',
    ],
  },
  async ({ values, positionals: [id], out, env }) => {
    if (!id) throw misuse('which document? loam show <document>')
    const named = await findCorpus(connect({ values, env }))
    if (values.chunks) return showChunks(named, id, out)
    const shown = await named.document(id)
    out.result(shown, {
      people: (one) => `${out.style('dim', describe(one))}\n\n${safe(one.text ?? '')}`,
      plain: ({ text = '' }) => safe(text),
    })
  },
)

async function showChunks(named: CorpusClient, id: string, out: Output): Promise<void> {
  out.result(await all((paging) => named.chunks(id, paging)), {
    people: (chunks) =>
      chunks.map((one) => `${out.style('dim', describeChunk(one))}\n${safe(one.text)}`).join('\n\n') ||
      'No chunks yet: the document is not indexed.',
    plain: (chunks) => chunks.map(chunkFields).join('\n'),
  })
}

function describeChunk(chunk: DocumentChunk): string {
  const { ordinal, start, end, passages, read, entities } = chunk
  const place = field(formatLocation(chunk))
  const reading = `read by ${read.by === 'model' ? 'a model' : 'rules'}${read.partial ? ` (in part: ${read.partial})` : ''}`
  return [
    [`${ordinal}`, `${start}–${end}`, ...(place ? [place] : []), many(passages, 'passage'), reading].join('  '),
    ...(entities.length > 0 ? [entities.map(({ name }) => field(name)).join(', ')] : []),
  ].join('\n')
}

function chunkFields(chunk: DocumentChunk): string {
  const { ordinal, chunk: id, start, end, passages, read, entities } = chunk
  const by = read.partial ? `${read.by} (${read.partial})` : read.by
  return fields(ordinal, id, start, end, passages, by, formatLocation(chunk), entities.map(({ name }) => name).join(', '))
}

function describe({ document, title, url, status, error, chunks, content_version: version, access, language, metadata }: Document): string {
  const facts = Object.entries(metadata).map(
    ([key, value]) => `${field(key)}: ${field(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  return [
    title && title !== document ? `${field(title)}  (${field(document)})` : field(document),
    ...(url ? [field(url)] : []),
    `${status}${error ? ` (${field(error)})` : ''}, ${many(chunks, 'chunk')}, content version ${version}${language ? `, in ${language}` : ''}`,
    ...(access.length > 0 ? [`read by ${access.map(field).join(', ')}`] : []),
    ...facts,
  ].join('\n')
}
