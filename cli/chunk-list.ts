/** A document's chunks as they are printed. */
import type { CorpusClient, DocumentChunk } from '../src/client/client'
import { formatLocation } from '../src/client/location'
import { all } from './connect'
import { field, fields, many, type Output, safe } from './output'

export async function showChunks(named: CorpusClient, id: string, out: Output): Promise<void> {
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
