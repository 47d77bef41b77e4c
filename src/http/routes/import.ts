/** Imports what an export contains: documents and labels. The graph is derived again; this corpus's settings decide how. */

import { MAX_BATCH } from '../../contract/document-limits'
import { accessSchema, idSchema, textSchema } from '../../contract/fields'
import { imported, importedSchema } from '../../contract/imports'
import { putLabel } from '../../flows/classify'
import type { DocumentInput } from '../../ports/documents'
import { isArchive, isGraphml, readArchive, readGraph } from '../archives'
import { MIB, mediaType, parseWith, readBytes } from '../body'
import { type Ctx, objectOf } from '../context'
import { type Import, parseImport } from '../doors/import-lines'
import { type WithText, withTexts } from '../files'
import { countDocuments } from '../key-limits'
import type { Parameter } from '../parameters'
import { Problem } from '../problem'
import { endReading, endReadingOf } from '../reading-turn'
import { route } from '../route'
import { classifyDeps, overBudget } from './labels'
import { inputOf as documentInputOf, requireAccepted } from './taken'

const LIMIT = 16 * MIB
const MAX_NAME = 100 // characters
const MAX_BYTES = 4 * MIB // of text in one call to the object: two such calls at once fit well into its memory
const TYPES: ReadonlySet<string> = new Set(['', 'application/x-ndjson', 'application/jsonl', 'application/json', 'text/plain'])
const example = {
  type: 'document',
  id: 'mill',
  text: 'Bread is baked in the old mill on Tuesdays.',
  title: 'The mill',
  url: 'https://example.com/mill',
  metadata: { year: 1912 },
} as const

const label: Parameter = {
  name: 'access',
  in: 'query',
  description: 'A label for the documents of an archive or a graph, or for lines without `type` that have none. May be repeated.',
  schema: { type: 'array', items: { type: 'string' } },
}

const nameSchema = idSchema.refine((value) => value.length <= MAX_NAME, { message: `a name has at most ${MAX_NAME} characters` })
const name: Parameter = {
  name: 'name',
  in: 'query',
  description:
    'A name for what you send, like a file name. The ids of a graph’s documents begin with it (`graph.graphml#heron`), and so do those of your own lines without an id. `import` by default.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_NAME },
}

export const importRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}:import',
    id: 'importCorpus',
    tag: 'documents',
    summary: 'Import an export, or lines of your own',
    description:
      'JSON lines, at most 16 MiB: the output of `GET …/export?format=jsonl` (documents and labels are imported, the graph is rebuilt), or your own lines, with the text in the document or with files in base64 (`content_base64`; at most 20). A line without `type` is a document if it has a text under one of the usual names (`text`, `content`, `body`); its other columns are metadata. Or, as `application/zip`, an export of Slack or Notion, or the zipped output folder of Microsoft GraphRAG or LightRAG, whose documents are imported with what their passages say of its graph. Or, as `application/graphml+xml`, a graph, with one document per node. `access` in the query string labels the documents of an archive or a graph, and your own lines that have no labels.',
    access: ['write'],
    body: {
      schema: importedSchema,
      type: 'application/x-ndjson',
      example,
      limit: LIMIT,
      readBy: 'handler',
      inTurn: 'once',
      raw: {
        'application/zip': 'An export of Slack or Notion, as the program writes it, or the zipped folder of GraphRAG or LightRAG.',
        'application/graphml+xml': 'A graph, as NetworkX and LightRAG write it.',
      },
    },
    answers: { 202: { description: 'Accepted.', schema: imported }, 200: { description: 'Nothing has changed.', schema: imported } },
    problems: ['over_budget', 'strategy_not_enabled'],
    parameters: [label, name],
    repeatable: true,
  }).answer(async (c) => {
    if (isArchive(mediaType(c)) || isGraphml(mediaType(c))) return importForeign(c)
    if (!TYPES.has(mediaType(c)))
      throw new Problem('unsupported_media_type', 'Send `application/x-ndjson`, `application/zip` or `application/graphml+xml`.')
    const as = { name: nameIn(c), access: labelsIn(c) }
    const { documents, labels } = parseImport(await readBytes(c, LIMIT), as)
    if (documents.length + labels.length === 0) throw new Problem('invalid', 'This contains no document and no label.')
    const deps = labels.length > 0 ? classifyDeps(c) : null
    const whole = await withTexts(c, documents, { uid: c.get('corpus').uid }, (n) => `document ${documents[n]?.id}`)
    endReadingOf(c, whole)
    const { jobs, unchanged } = await acceptDocuments(c, whole)
    for (const { label, description = '', examples } of labels) {
      if (deps && !(await putLabel(deps, { id: label, description, examples }))) throw overBudget()
    }
    const result = { job: jobs.at(-1) ?? null, jobs, documents: whole.length, unchanged, labels: labels.length }
    return { status: jobs.length > 0 ? 202 : 200, body: result }
  }),
]

const labelsIn = (c: Ctx) => parseWith(accessSchema, c.req.queries('access') ?? [])
const nameIn = (c: Ctx): string => parseWith(nameSchema, c.req.query('name') ?? 'import')

/** Written by another program: an archive, or GraphML. */
async function importForeign(c: Ctx) {
  const [access, name] = [labelsIn(c), nameIn(c)]
  const bytes = await readBytes(c, LIMIT)
  const read = await (isGraphml(mediaType(c)) ? readGraph(bytes, name) : readArchive(bytes))
  const { kind, documents: found } = read
  endReading(c)
  const documents = found.map((one) => ({ ...documentInputOf(one), id: one.id, ...(access.length > 0 ? { access } : {}) }))
  const { jobs, unchanged } = await acceptInputs(c, documents)
  const body = {
    job: jobs.at(-1) ?? null,
    jobs,
    documents: documents.length,
    unchanged,
    labels: 0,
    ...('graph' in read ? { graph: read.graph } : {}),
    from: kind,
  }
  return { status: jobs.length > 0 ? (202 as const) : (200 as const), body }
}

type Whole = WithText<Import['documents'][number]>

const acceptDocuments = (c: Ctx, documents: readonly Whole[]) => acceptInputs(c, documents.map(inputOf))

async function acceptInputs(c: Ctx, documents: readonly DocumentInput[]): Promise<{ jobs: string[]; unchanged: number }> {
  const jobs: string[] = []
  let unchanged = 0
  for (const upserts of batches(documents)) {
    const accepted = await countDocuments(c, upserts, () => objectOf(c).accept({ kind: 'batch', upserts, deletes: [] }))
    if (accepted.kind === 'unchanged') unchanged += upserts.length
    else {
      const { job, documents } = requireAccepted(accepted)
      jobs.push(job)
      unchanged += documents.filter((one) => one.status === 'unchanged').length
    }
  }
  return { jobs, unchanged }
}

function inputOf({ id, text, ...rest }: Whole): DocumentInput {
  return { id, ...documentInputOf({ ...rest, text: parseWith(textSchema, text) }) }
}

const encoder = new TextEncoder()

function bytesIn({ text, brought, file }: DocumentInput): number {
  return encoder.encode(text).length + (brought ? encoder.encode(JSON.stringify(brought)).length : 0) + (file?.length ?? 0)
}

function* batches(documents: readonly DocumentInput[]): Generator<DocumentInput[]> {
  let batch: DocumentInput[] = []
  let size = 0
  for (const one of documents) {
    if (batch.length >= MAX_BATCH || (batch.length > 0 && size + bytesIn(one) > MAX_BYTES)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(one)
    size += bytesIn(one)
  }
  if (batch.length > 0) yield batch
}
