/** `loam filters`: saved filters, under a name. Plain: name, metadata, documents, languages. */
import type { SavedFilter } from '../../src/client/client'
import { conditionTexts } from '../../src/contract/condition-text'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { field, fields } from '../output'
import { readFilters } from '../question'
import { table } from '../table'

export const filters = command(
  {
    usage: 'filters [put <name> | rename <name> <new name> | remove <name>]',
    verbs: ['put', 'rename', 'remove'],
    summary: 'list, save, rename and remove the filters that `ask --saved <name>` uses',
    maxWords: 3,
    options: {
      ...service,
      ...corpus,
      filter: text('key=value of the metadata, also !=, >=, >, <= and <; may be repeated', { multiple: true }),
      document: text('a document; may be repeated', { multiple: true }),
      language: text('a language (de); may be repeated', { multiple: true }),
    },
    examples: ['loam filters put manuals --filter kind=manual --filter lang=en', 'loam ask --saved manuals What does the heron eat?'],
  },
  async ({ values, positionals: [action = 'list', name, to], out, env }) => {
    const { filters: saved } = await findCorpus(connect({ values, env }))
    if (action === 'list') {
      return out.result((await saved.list()).data, {
        people: (rows) =>
          rows.length === 0
            ? 'No saved filters yet; `loam filters put <name> --filter key=value` saves one.'
            : table(['name', 'metadata', 'documents', 'languages'], rows.map(partsOf), out),
        plain: (rows) => rows.map((one) => fields(...partsOf(one))).join('\n'),
      })
    }
    if (action !== 'put' && action !== 'rename' && action !== 'remove') throw misuse(`"${action}": expected put, rename, remove or nothing`)
    if (!name) throw misuse(`which filter? loam filters ${action} <name>`)
    if (action === 'rename') {
      if (!to) throw misuse(`which new name? loam filters rename ${name} <new name>`)
      return out.result(await saved.rename(name, to), {
        people: (one) => `${field(name)} is now called ${field(one.filter)}`,
        plain: (one) => fields(...partsOf(one)),
      })
    }
    if (action === 'remove') {
      await saved.remove(name)
      return out.result(
        { filter: name, status: 'removed' },
        { people: () => `${field(name)} is removed`, plain: () => fields(name, 'removed') },
      )
    }
    if (!values.filter && !values.document && !values.language)
      throw misuse('which filter? --filter key=value, --document id or --language de')
    const content = {
      ...(values.filter ? { metadata: readFilters(values.filter) } : {}),
      ...(values.document ? { document: values.document } : {}),
      ...(values.language ? { language: values.language } : {}),
    }
    out.result(await saved.put(name, content), {
      people: (one) => `${field(one.filter)} is saved`,
      plain: (one) => fields(...partsOf(one)),
    })
  },
)

function partsOf({ filter, metadata = {}, document = [], language = [] }: SavedFilter): [string, string, string, string] {
  const said = Object.entries(metadata).flatMap(([key, value]) => conditionTexts(key, value))
  return [filter, said.join(', '), document.join(', '), language.join(', ')]
}
