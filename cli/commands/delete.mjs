/** `loam delete`: a corpus and everything in it. Plain: corpus, job, time until which it can be undeleted. */
import { corpusPath } from '../client.mjs'
import { Failure, misuse } from '../failure.mjs'
import { field, fields } from '../output.mjs'
import { agreed } from '../question.mjs'
import { connected } from '../settings.mjs'

export async function run({ values, positionals, out, env, stdin }) {
  const [name] = positionals // never one that is merely remembered
  if (!name) throw misuse('which corpus? loam delete <corpus>')
  const { client } = connected({ values, env })
  const { undelete_seconds: seconds = 0, counts = {} } = await client.call('GET', corpusPath(name))
  const final = values['at-once'] || seconds === 0
  const asked = `Delete ${field(name)} with ${counts.documents ?? 0} documents${final ? ', for good' : ''}?`
  if (!values.yes && !(await agreed(asked, { stdin, otherwise: 'it cannot ask here: --yes' }))) throw new Failure('nothing was deleted')
  const query = values['at-once'] ? { at_once: true } : {}
  const deleted = await client.call('DELETE', corpusPath(name), { query })
  out.result(
    { corpus: name, ...deleted },
    {
      people: ({ job, gone_at }) =>
        gone_at
          ? `${field(name)} is deleted. Until ${gone_at}: loam undelete ${field(name)}`
          : `${field(name)} is deleted and is being cleared away (${job}).`,
      plain: ({ job, gone_at }) => fields(name, job, gone_at ?? ''),
    },
  )
}
