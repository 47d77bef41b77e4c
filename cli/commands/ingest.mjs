/** `loam ingest`: files, folders and globs into a corpus. Ids are paths as seen from `--base`, so the same file is the same document next time. */
import { misuse } from '../failure.mjs'
import { takeIn } from '../ingest/run.mjs'
import { baseOf, filesOf, idIn } from '../reading/files.mjs'
import { documentsIn, readable } from '../reading/read.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env, stdin }) {
  if (positionals.length === 0) throw misuse('which files? loam ingest <file | folder | glob>…')
  const { client, corpus } = connected({ values, env })
  const all = await filesOf(positionals)
  const files = all.filter(({ path, named }) => named || readable(path))
  if (files.length === 0) throw misuse(`none of these ${all.length} files can be read; loam ingest --help says which can`)
  if (files.length < all.length) out.note(`${all.length - files.length} files of other kinds passed over`)
  const base = baseOf(files, values.base)
  const labels = values.access?.split(',').map((label) => label.trim())
  const columns = { text: values['text-column'], id: values['id-column'] }
  async function* read() {
    for (const file of files) {
      const found = documentsIn(file, { id: `${values.prefix ?? ''}${idIn(base, file.path)}`, columns })
      for await (const one of found) yield one.document && labels ? { ...one, document: { ...one.document, access: labels } } : one
    }
  }
  await takeIn({ client, corpus: await chosen({ client, corpus }), read, values, out, stdin })
}
