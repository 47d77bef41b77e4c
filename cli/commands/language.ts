/**
 * `loam language`: the language of a document; with a code, sets it. `--all`: detects those of documents indexed before Loam recorded languages.
 * Plain: document, language (empty: not detected), job (empty: none); with `--all` the job.
 */
import { command, flag } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { field, fields } from '../output'

export const language = command(
  {
    usage: 'language [document] [code]',
    summary: 'show the language of a document; with a code (de), set it',
    maxWords: 2,
    options: {
      ...service,
      ...corpus,
      detect: flag('use the language its text shows, instead of a code'),
      all: flag('detect the language of every document indexed before Loam recorded languages'),
    },
    examples: ['loam language notes/brief.md de', 'loam language notes/brief.md --detect', 'loam language --all'],
  },
  async ({ values: { detect, all, ...values }, positionals: [id, code], out, env }) => {
    if (all && (id || detect)) throw misuse('give either --all or a document')
    if (!all && !id) throw misuse('which document? loam language <document> [code], or --all')
    if (detect && code) throw misuse('give either a code or --detect')
    const here = await findCorpus(connect({ values, env }))
    if (!id) {
      const { job } = await here.detectLanguages()
      return out.result({ job }, { people: () => `${job} is running; \`loam jobs ${job}\` shows its progress`, plain: () => fields(job) })
    }
    if (!code && !detect) {
      const { document, language: known } = await here.document(id)
      return out.result(
        { document, language: known },
        {
          people: () => (known ? `${field(id)} is in ${field(known)}` : `the language of ${field(id)} was not detected`),
          plain: () => fields(id, known ?? '', ''),
        },
      )
    }
    const patched = await here.setLanguage(id, code ?? null)
    const how = code ? `in ${field(code)}` : 'in the language its text shows'
    out.result(patched, {
      people: () => (patched.job ? `${field(id)} is being indexed again ${how} (${patched.job})` : `${field(id)} is ${how} already`),
      plain: () => fields(id, code ?? '', patched.job ?? ''),
    })
  },
)
