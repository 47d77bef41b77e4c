/** `loam import`: imports an export of Loam with its labels; GraphML; the folders of other systems. All are sent as `ingest` sends documents. */
import { readFileSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { CorpusClient, NewCorpus } from '../../src/client/client'
import type { Taken } from '../../src/reading/exports/peer-graph'
import { Unreadable } from '../../src/reading/unreadable'
import { command } from '../command'
import { connect, findCorpus } from '../connect'
import type { Many, SourceDocument } from '../documents'
import { Failure, misuse } from '../failure'
import { type ExportedLabel, isExport, readExport } from '../ingest/read-export'
import { takeIn } from '../ingest/take-in'
import { intake, service } from '../options'
import { many, type Output } from '../output'
import { decode } from '../reading/decode'
import { chooseBase, idIn } from '../reading/files'
import { asSources, findForeign } from '../reading/foreign'

interface Source {
  readonly documents: () => Many<SourceDocument>
  readonly labels?: readonly ExportedLabel[]
  readonly config?: NewCorpus
  /** How much of another program's graph its documents have brought. */
  readonly taken?: () => Taken | undefined
}

export const importFiles = command(
  {
    usage: 'import <file | folder>…',
    summary:
      'read an export of Loam, JSON lines, exports of Slack and Notion, GraphML, or output folders of Microsoft GraphRAG and LightRAG, zipped or not',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...intake },
    examples: [
      'loam import birds.jsonl -c birds-again',
      'loam import slack-export.zip',
      'loam import ragtest/output',
      'loam import rag_storage',
    ],
  },
  async ({ values, positionals, out, env, stdin }) => {
    if (positionals.length === 0) throw misuse('which file or folder? loam import <file | folder>…')
    const connection = connect({ values, env })
    const { fitDocument } = await import('../reading/split')
    const sources: Source[] = []
    for (const path of positionals) sources.push(await openSource(path, values.base))
    const corpus = await findCorpus(connection)
    const labels = sources.flatMap((source) => source.labels ?? [])
    let isTold = false // documents are read again when they are sent
    async function* read() {
      for (const source of sources)
        for await (const one of source.documents())
          for (const document of fitDocument({ ...one, id: `${values.prefix ?? ''}${one.id}` })) yield { document }
      if (isTold) return
      isTold = true
      for (const source of sources) noteGraph(source.taken?.(), out)
    }
    const after = async () => ({ labels: await putLabels(corpus, labels) })
    const [first, ...others] = sources
    const config = others.length === 0 ? first?.config : undefined
    await takeIn({ corpus, read, values, out, stdin, config, isWhole: true, also: { count: labels.length, noun: 'label', after } })
  },
)

function noteGraph(taken: Taken | undefined, out: Output): void {
  if (!taken) return
  const { entities, relations, left_out: left } = taken
  out.note(`${many(entities, 'entity', 'entities')} and ${many(relations, 'relation')} of its graph come with the documents`)
  if (left.entities + left.relations > 0)
    out.note(
      `left out: ${many(left.entities, 'entity', 'entities')} and ${many(left.relations, 'relation')} that no passage they came from says`,
    )
  if (left.descriptions > 0) out.note(`left out: ${many(left.descriptions, 'description')} written over several documents`)
}

/** Your own JSON lines: one document each; errors are named by line. */
async function* readPlain(path: string, base: string | undefined): AsyncGenerator<SourceDocument> {
  const { readDocuments } = await import('../reading/documents')
  const file = resolve(path)
  for await (const one of readDocuments({ path: file, isNamed: true }, { id: idIn(chooseBase([{ path: file }], base), file) })) {
    if ('skipped' in one) throw new Failure(`${path}: ${one.skipped}: ${one.why}`)
    yield one.document
  }
}

/** A label is its name: put again, it replaces itself. */
async function putLabels(corpus: CorpusClient, labels: readonly ExportedLabel[]): Promise<number> {
  for (const { label, ...content } of labels) await corpus.putLabel(label, content)
  return labels.length
}

/** Read here, so that it may be larger than the service accepts at once. */
async function readArchive(path: string): Promise<Source> {
  const [{ readExport: read }, { asDocument }, { localBounds }] = await Promise.all([
    import('../../src/reading/exports/open-export'),
    import('../../src/reading/exports/exported'),
    import('../../src/reading/bounds'),
  ])
  const { under, documents, graph } = await read(new Uint8Array(readFileSync(path)), localBounds).catch((error) => {
    throw error instanceof Unreadable ? new Failure(`${path}: ${error.message}`) : error
  })
  return {
    taken: () => graph,
    documents: () =>
      documents.map((one) => {
        const { dates, ...document } = asDocument(under, one)
        return { ...document, ...(dates.published_at ? { published_at: dates.published_at.value } : {}) }
      }),
  }
}

async function openSource(path: string, base: string | undefined): Promise<Source> {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw misuse(`${path}: no such file or folder`)
  if (kind.isDirectory()) {
    const found = findForeign(path)
    if (!found) throw misuse(`${path}: no output of GraphRAG or LightRAG was found here; \`loam ingest\` takes files`)
    return found
  }
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
    case '.ndjson':
      return (await isExport(path)) ? readExport(path) : { documents: () => readPlain(path, base) }
    case '.zip':
      return readArchive(path)
    case '.graphml': {
      const [{ readGraphml }, { localBounds }] = await Promise.all([
        import('../../src/reading/graphml'),
        import('../../src/reading/bounds'),
      ])
      const file = resolve(path)
      const name = idIn(chooseBase([{ path: file }], base), file)
      return { documents: () => asSources(() => readGraphml(decode(readFileSync(file)), name, localBounds), path) }
    }
    default:
      throw misuse(
        `${path}: import reads .jsonl (of \`loam export\`, or with one document per line), .zip of Slack, Notion, GraphRAG and LightRAG, .graphml, and folders of GraphRAG and LightRAG`,
      )
  }
}
