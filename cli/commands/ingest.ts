/** `loam ingest`: files, folders and globs into a corpus. Ids are paths as seen from `--base`, so the same file is the same document next time. */
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import type { Read } from '../documents'
import { misuse } from '../failure'
import { takeIn } from '../ingest/take-in'
import { intake, service } from '../options'
import { chooseBase, findFiles, idIn } from '../reading/files'

export const ingest = command(
  {
    usage: 'ingest <file | folder | glob>…',
    summary: 'documents in: md txt html jsonl csv tsv pdf docx epub. The same again continues, nothing is sent twice',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...intake,
      'text-column': text('column or key that holds the text (csv, jsonl)'),
      'id-column': text('column or key that holds the id'),
      access: text('labels, parted by commas: who may read these documents'),
    },
    examples: ['loam ingest docs', "loam ingest 'handbook/**/*.md' faq.csv --text-column answer", 'loam ingest docs --estimate'],
  },
  async ({ values, positionals, out, env, stdin }) => {
    if (positionals.length === 0) throw misuse('which files? loam ingest <file | folder | glob>…')
    const connection = connect({ values, env })
    const { isReadable, readDocuments } = await import('../reading/documents')
    const all = await findFiles(positionals)
    const files = all.filter(({ path, isNamed }) => isNamed || isReadable(path))
    if (files.length === 0) throw misuse(`none of these ${all.length} files can be read; loam ingest --help says which can`)
    if (files.length < all.length) out.note(`${all.length - files.length} files of other kinds passed over`)
    const base = chooseBase(files, values.base)
    const access = values.access?.split(',').map((label) => label.trim())
    const columns = { text: values['text-column'], id: values['id-column'] }
    async function* read(): AsyncGenerator<Read> {
      for (const file of files) {
        const found = readDocuments(file, { id: `${values.prefix ?? ''}${idIn(base, file.path)}`, columns })
        for await (const one of found) yield 'document' in one && access ? { document: { ...one.document, access } } : one
      }
    }
    await takeIn({ corpus: await findCorpus(connection), read, values, out, stdin })
  },
)
