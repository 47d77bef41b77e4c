/** Everything D1 holds of a corpus, streamed in parts: JSON lines, or GraphML for graph tools. Nothing larger than a page is in memory. */
import { partitionsOf } from '../../corpus-uid'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { decode, encode } from '../cursor'
import { type Mark, partOf, readMark } from '../export-parts'
import { graphml } from '../graphml'
import { jsonLines } from '../json-lines'
import { cursor, type Parameter } from '../parameters'
import { Problem } from '../problem'
import { route } from '../route'
import { settingsView } from '../settings'
import { settledVersion } from '../settled'
import { attachmentHeaders, streamLines } from '../stream-lines'

const FORMATS = { jsonl: { type: 'application/x-ndjson', write: jsonLines }, graphml: { type: 'application/graphml+xml', write: graphml } }
const format: Parameter = {
  name: 'format',
  in: 'query',
  description: 'The format.',
  schema: { enum: Object.keys(FORMATS), default: 'jsonl' },
}

export const exportRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/export',
    id: 'exportCorpus',
    tag: 'graph',
    summary: 'Export everything as a stream',
    description:
      'JSON lines (the last line states that nothing is missing), or GraphML for graph tools. A large corpus is exported in parts of about 160 MB: if the last line of a part is `{"type":"next", "cursor", "digest"}` (in GraphML `<?loam-next cursor?>`), request the next part with that `cursor`. The parts joined together are the export. For a corpus with partitions, nodes, edges and receipts say in which `partition` they are (GraphML has one graph, in which what several partitions name is one node); `:import` creates the same corpus from it with another number of partitions, or with none.',
    access: ['read'],
    parameters: [format, cursor],
    answers: { 200: { description: 'The corpus, its documents, chunks, nodes and edges.', type: 'application/x-ndjson' } },
    problems: ['behind', 'invalid'],
  }).answer(async (c) => {
    const name = c.req.query('format') || 'jsonl'
    if (name !== 'jsonl' && name !== 'graphml') {
      throw new Problem('invalid', 'The format must be jsonl or graphml.', { errors: [{ path: 'format', message: 'jsonl or graphml' }] })
    }
    const partitions = partitionsOf(c.get('corpus').uid)
    const { type, write } = FORMATS[name]
    const from = markOf(c)
    const version = from?.version ?? (await settledVersion(c))
    const record = c.get('corpus')
    const { name: corpus, strategies, settings, defaultAccess } = record
    const writer = write(
      {
        corpus,
        version,
        strategies,
        settings: settingsView(settings),
        ...(defaultAccess ? { default_access: defaultAccess } : {}),
        ...(partitions > 1 ? { partitions } : {}),
      },
      from?.carried,
    )
    const lines = partOf(
      {
        record,
        object: objectOf(c),
        objectAt: (uid) => c.get('world').corpus(uid),
        asker: await askerOf(c),
        isJoined: name === 'graphml',
        listings: c.get('world').listings,
      },
      { writer, version, from, encode },
    )
    return { response: new Response(streamLines(lines), { headers: attachmentHeaders(c, `${type}; charset=utf-8`, `${corpus}.${name}`) }) }
  }),
]

/** Where the requested part begins; undefined: at the beginning. */
function markOf(c: Ctx): Mark | undefined {
  const text = decode(c.req.query('cursor'))
  if (text === '') return undefined
  const mark = readMark(text, c.get('corpus').uid)
  if (mark) return mark
  const errors = [{ path: 'cursor', message: 'not a cursor of this corpus' }]
  throw new Problem('invalid', 'This cursor does not belong to an export of this corpus.', { errors })
}
