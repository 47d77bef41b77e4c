/** Files as documents, by the options that `loam ingest` and `loam watch` share. */
import { flag, text, type Values } from '../command'
import type { Read } from '../documents'
import { intake, service } from '../options'
import { type FoundFile, idIn } from '../reading/files'

export const fileIntake = {
  ...service,
  ...intake,
  'text-column': text('column or key with the text (csv, jsonl)'),
  'id-column': text('column or key with the id'),
  access: text('labels, separated by commas: who may read these documents'),
  language: text('their language (de); otherwise it is detected'),
  'keep-files': flag('PDFs of up to 8 MB are sent as they are, and kept if the corpus keeps files; otherwise only their text is sent'),
}

/** A file may hold several documents. `base`: the folder their ids are relative to. */
export async function* readFiles(files: readonly FoundFile[], base: string, values: Values<typeof fileIntake>): AsyncGenerator<Read> {
  const { readDocuments } = await import('../reading/documents')
  const access = values.access?.split(',').map((label) => label.trim())
  const given = { ...(access ? { access } : {}), ...(values.language ? { language: values.language } : {}) }
  const columns = { text: values['text-column'], id: values['id-column'] }
  for (const file of files) {
    const found = readDocuments(file, { id: idOfFile(file.path, base, values), columns, keepsFiles: values['keep-files'] === true })
    for await (const one of found) yield 'document' in one ? { document: { ...one.document, ...given } } : one
  }
}

export const idOfFile = (path: string, base: string, { prefix = '' }: { readonly prefix?: string | undefined }): string =>
  `${prefix}${idIn(base, path)}`
