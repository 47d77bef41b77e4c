/** `loam access`: who may read a document; with labels, who may from now on. Plain: document, version (empty: nothing was changed), a label each. */
import { corpusPath } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { field, fields } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const [id, ...labels] = positionals
  if (!id) throw misuse('which document? loam access <document> [label]…')
  if (values.open && labels.length > 0) throw misuse('either labels or --open, which takes all of them away')
  const { client, corpus } = connected({ values, env })
  const path = corpusPath(await chosen({ client, corpus }), `/documents/${encodeURIComponent(id)}`)
  const isChange = values.open || labels.length > 0
  const done = isChange
    ? await client.call('PATCH', path, { body: { access: labels } })
    : await client.call('GET', path).then(({ document, access }) => ({ document, access }))
  out.result(done, {
    people: () => `${readers(field(id), done.access.map(field))}${isChange ? `, from version ${done.version} on` : ''}.`,
    plain: () => fields(id, isChange ? done.version : '', ...done.access),
  })
}

const readers = (id, labels) =>
  labels.length === 0
    ? `${id} has no labels: it is for every reader of the corpus, or as its default_access says`
    : `${id} is read by ${labels.join(', ')}`
