/** `loam undelete`: restores a deleted corpus as it was. Plain: corpus, status. */
import { command } from '../command'
import { connect } from '../connect'
import { misuse } from '../failure'
import { service } from '../options'
import { field, fields } from '../output'

export const undelete = command(
  {
    usage: 'undelete <corpus>',
    summary: 'bring back a deleted corpus, before its undelete_seconds run out',
    maxWords: 1,
    options: { ...service },
    examples: ['loam undelete birds'],
  },
  async ({ values, positionals: [name], out, env }) => {
    if (!name) throw misuse('which corpus? loam undelete <corpus>')
    out.result(await connect({ values, env }).loam.corpus(name).undelete(), {
      people: () => `${field(name)} is back, as it was.`,
      plain: ({ corpus, status }) => fields(corpus, status),
    })
  },
)
