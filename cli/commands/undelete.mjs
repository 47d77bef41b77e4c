/** `loam undelete`: a deleted corpus back, as it was. Plain: corpus, status. */
import { corpusPath } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { field, fields } from '../output.mjs'
import { connected } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const [name] = positionals
  if (!name) throw misuse('which corpus? loam undelete <corpus>')
  const { client } = connected({ values, env })
  const done = await client.call('POST', corpusPath(name, ':undelete'))
  out.result(done, { people: () => `${field(name)} is back, as it was.`, plain: ({ corpus, status }) => fields(corpus, status) })
}
