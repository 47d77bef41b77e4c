/** `loam labels`: what is used to classify texts. Plain: label, examples, learned, description. */
import { readFileSync } from 'node:fs'
import { command, text } from '../command'
import { all, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { field, fields, many } from '../output'
import { table } from '../table'

export const labels = command(
  {
    usage: 'labels [put <label> | remove <label>]',
    verbs: ['put', 'remove'],
    summary: 'list, create, change and remove the labels used to classify texts',
    maxWords: 2,
    options: {
      ...service,
      ...corpus,
      description: text('what texts with this label are about'),
      example: text('a text with this label; may be repeated', { multiple: true }),
      examples: text('a file with one example per line'),
    },
    examples: [
      "loam labels put refund --description 'money back' --example 'I want my money back'",
      'loam labels put refund --examples refunds.txt',
    ],
  },
  async ({ values, positionals: [action = 'list', label], out, env }) => {
    const labelled = await findCorpus(connect({ values, env }))
    if (action === 'list')
      return out.result(await all((paging) => labelled.labels(paging)), {
        people: (rows) =>
          rows.length === 0
            ? 'No labels yet; `loam labels put <label>` creates one.'
            : table(
                ['label', 'examples', 'learned', 'description'],
                rows.map((one) => [one.label, one.examples.length, one.learned, one.description]),
                out,
              ),
        plain: (rows) => rows.map((one) => fields(one.label, one.examples.length, one.learned, one.description)).join('\n'),
      })
    if (action !== 'put' && action !== 'remove') throw misuse(`"${action}": expected put, remove or nothing`)
    if (!label) throw misuse(`which label? loam labels ${action} <label>`)
    if (action === 'remove') {
      await labelled.removeLabel(label)
      return out.result({ label, status: 'removed' }, { people: () => `${field(label)} is removed`, plain: () => fields(label, 'removed') })
    }
    const lines = values.examples === undefined ? [] : readFileSync(values.examples, 'utf8').split(/\r?\n/)
    const examples = [...(values.example ?? []), ...lines].filter((one) => one.trim() !== '')
    const content = { ...(values.description === undefined ? {} : { description: values.description }), examples }
    const made = await labelled.putLabel(label, content)
    out.result(made, {
      people: (one) => `${field(one.label)} has ${many(one.examples.length, 'example')}`,
      plain: (one) => fields(one.label, one.examples.length, one.learned, one.description),
    })
  },
)
