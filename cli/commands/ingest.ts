/** `loam ingest`: files, folders and globs into a corpus. Ids are paths as seen from `--base`, so the same file is the same document next time. */
import { command } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { fileIntake, readFiles } from '../ingest/read-files'
import { takeIn } from '../ingest/take-in'
import { chooseBase, findFiles } from '../reading/files'

export const ingest = command(
  {
    usage: 'ingest <file | folder | glob>…',
    summary: 'ingest files of many kinds. Run it again to continue: nothing is sent twice',
    maxWords: Number.POSITIVE_INFINITY,
    options: fileIntake,
    examples: ['loam ingest docs', "loam ingest 'handbook/**/*.md' faq.csv --text-column answer", 'loam ingest docs --estimate'],
  },
  async ({ values, positionals, out, env, stdin }) => {
    if (positionals.length === 0) throw misuse('which files? loam ingest <file | folder | glob>…')
    const connection = connect({ values, env })
    const { isReadable } = await import('../reading/documents')
    const all = await findFiles(positionals)
    const files = all.filter(({ path, isNamed }) => isNamed || isReadable(path))
    if (files.length === 0) throw misuse(`none of these ${all.length} files can be read; loam ingest --help says which can`)
    if (files.length < all.length) out.note(`skipped ${all.length - files.length} files of other kinds`)
    const base = chooseBase(files, values.base)
    await takeIn({ corpus: await findCorpus(connection), read: () => readFiles(files, base, values), values, out, stdin })
  },
)
