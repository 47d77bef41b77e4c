/**
 * `loam show`: a document as it is kept, or its chunks. Plain: its text alone; of each chunk its ordinal, id, start, end, passages, what read it, place,
 * names.
 */
import type { CorpusClient, Document } from '../../src/client/client'
import { showChunks } from '../chunk-list'
import { command, flag, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields, many, type Output, safe } from '../output'
import { saveAnswer } from '../write-export'

export const show = command(
  {
    usage: 'show <document>',
    summary: 'show a document: its text and details, or its chunks; save its file',
    maxWords: 1,
    options: {
      ...service,
      ...corpus,
      ...asker,
      chunks: flag('its chunks: their places, what read each one and the names it mentions'),
      file: text('save the PDF that it was read from here'),
    },
    examples: [
      'loam show handbook/refunds.md',
      'loam show handbook/refunds.md --json | jq .metadata',
      'loam show handbook/refunds.md --chunks',
      'loam show papers/heron.pdf --file heron.pdf',
    ],
  },
  async ({ values, positionals: [id], out, env }) => {
    if (!id) throw misuse('which document? loam show <document>')
    const named = await findCorpus(connect({ values, env }))
    if (values.chunks && values.file) throw misuse('--chunks and --file are two commands')
    if (values.chunks) return showChunks(named, id, out)
    if (values.file) return saveFile(named, { id, file: values.file }, out)
    const shown = await named.document(id)
    out.result(shown, {
      people: (one) => `${out.style('dim', describe(one))}\n\n${safe(one.text ?? '')}`,
      plain: ({ text = '' }) => safe(text),
    })
  },
)

async function saveFile(corpus: CorpusClient, { id, file }: { readonly id: string; readonly file: string }, out: Output): Promise<void> {
  const bytes = await saveAnswer(await corpus.file(id), file, 'the download')
  out.result(
    { document: id, file, bytes },
    {
      people: () => `The file of ${field(id)} is in ${field(file)} (${(bytes / 1e6).toFixed(1)} MB)`,
      plain: () => fields('file', id, file, bytes),
    },
  )
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
