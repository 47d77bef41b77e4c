/** `loam delete`: a corpus and everything in it. Plain: corpus, job, time until which it can be undeleted. */
import { LoamError } from '../../src/client/client'
import { command, flag } from '../command'
import { confirm } from '../confirm'
import { connect } from '../connect'
import { Failure, misuse } from '../failure'
import { service } from '../options'
import { field, fields } from '../output'

export const deleteCorpus = command(
  {
    usage: 'delete <corpus>',
    summary: 'delete a corpus and everything in it',
    maxWords: 1,
    options: {
      ...service,
      'at-once': flag('delete permanently: it cannot be undeleted'),
      yes: flag('do not ask', { short: 'y' }),
    },
    examples: ['loam delete birds', 'loam delete birds --at-once --yes'],
  },
  async ({ values, positionals: [name], out, env, stdin }) => {
    if (!name) throw misuse('which corpus? loam delete <corpus>') // never the remembered one
    const corpus = connect({ values, env }).loam.corpus(name)
    const { undelete_seconds: seconds = 0, counts = {} } = await corpus.info().catch((error) => {
      if (!(error instanceof LoamError && error.code === 'corpus_not_found')) throw error
      throw new Failure(`there is no corpus ${field(name)}; \`loam forget ${field(name)}\` deletes a document`, { code: error.code })
    })
    const atOnce = values['at-once'] === true
    const warning = `Delete ${field(name)} with ${counts.documents ?? 0} documents${atOnce || seconds === 0 ? ', for good' : ''}?`
    if (!values.yes && !(await confirm(warning, { stdin, otherwise: 'there is no terminal to confirm at; --yes skips the question' })))
      throw new Failure('nothing was deleted')
    const deleted = await corpus.drop({ atOnce })
    out.result(
      { corpus: name, ...deleted },
      {
        people: ({ job, gone_at }) =>
          gone_at
            ? `${field(name)} is deleted. Until ${gone_at}: loam undelete ${field(name)}`
            : `${field(name)} is deleted; its contents are being removed (${job}).`,
        plain: ({ job, gone_at }) => fields(name, job, gone_at ?? ''),
      },
    )
  },
)
