/** `loam documents off` and `on`: what takes part in questions. Plain: document, off or on, version. */
import { command } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { asker, corpus, service } from '../options'
import { field, fields } from '../output'

export const documents = command(
  {
    usage: 'documents <off|on> <document>…',
    summary: 'switch documents off without deleting them, and on again',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus, ...asker },
    examples: ['loam documents off prices-2023.md', 'loam documents on prices-2023.md'],
  },
  async ({ values, positionals: [action, ...ids], out, env }) => {
    if (action !== 'off' && action !== 'on') throw misuse(`${action === undefined ? '' : `"${action}": `}say off or on`)
    if (ids.length === 0) throw misuse(`which document? loam documents ${action} <document>…`)
    const within = await findCorpus(connect({ values, env }))
    const patched = []
    for (const id of ids) patched.push(await within.setActive(id, action === 'on'))
    const effect = action === 'on' ? 'takes part in questions' : 'takes no part in questions'
    out.result(patched, {
      people: (rows) => rows.map(({ document, version }) => `${field(document)} ${effect}, from version ${version} on.`).join('\n'),
      plain: (rows) => rows.map(({ document, version }) => fields(document, action, version)).join('\n'),
    })
  },
)
