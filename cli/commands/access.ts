/** `loam access`: show who may read a document; with labels, set it. Plain: document, version (empty: nothing was changed), the labels. */
import { command, flag } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields } from '../output'

export const access = command(
  {
    usage: 'access <document> [label]…',
    summary: 'show who may read a document; with labels, set them',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus, ...asker, open: flag('remove all labels') },
    examples: ['loam access pay.md', 'loam access pay.md group:finance user:ana@example.org', 'loam access pay.md --open'],
  },
  async ({ values, positionals, out, env }) => {
    const [id, ...labels] = positionals
    if (!id) throw misuse('which document? loam access <document> [label]…')
    if (values.open && labels.length > 0) throw misuse('give either labels or --open, which removes all labels')
    const documents = await findCorpus(connect({ values, env }))
    const patched = values.open || labels.length > 0 ? await documents.setAccess(id, labels) : undefined
    const done = patched ?? (({ document, access }) => ({ document, access }))(await documents.document(id))
    const since = patched ? `, from version ${patched.version} on` : ''
    out.result(done, {
      people: () => `${readers(field(id), done.access.map(field))}${since}.`,
      plain: () => fields(id, patched?.version, ...done.access),
    })
  },
)

const readers = (id: string, labels: readonly string[]): string =>
  labels.length === 0
    ? `${id} has no labels: every reader of the corpus may read it, or those that default_access names`
    : `${id} can be read by ${labels.join(', ')}`
