/** `loam restore`: restores a backup; what early versions of `loam backup` wrote is imported as an export. Plain: corpus, version, state, job. */
import { statSync } from 'node:fs'
import { type CorpusClient, LoamError, type Restored } from '../../src/client/client'
import { headOf, partsIn } from '../backing-up/parts'
import { restoreTo } from '../backing-up/restore-to'
import { command, text } from '../command'
import { connect, findCorpus } from '../connect'
import { Failure, misuse } from '../failure'
import { intake, service } from '../options'
import { fields, many } from '../output'
import { importFiles } from './import'

export const restore = command(
  {
    usage: 'restore [<file>] [corpus]',
    summary: 'restore a backup as the corpus it was; with --to, take a corpus back to a moment of the last 30 days',
    maxWords: 2,
    options: {
      ...service,
      ...intake,
      replay: text('the corpus the backup was taken from: what was deleted there since then stays deleted'),
      to: text('without a file: take the corpus itself back to this moment (2026-03-01T09:00:00Z); only on Cloudflare'),
    },
    examples: [
      'loam restore birds.backup.jsonl birds-again',
      'loam restore birds.backup.jsonl -c birds-again --replay birds',
      'loam restore --to 2026-03-01T09:00:00Z -c birds',
    ],
  },
  async (invocation) => {
    const { values, positionals, out, env } = invocation
    const [file, named = values.corpus] = positionals
    if (named !== undefined && values.corpus !== undefined && named !== values.corpus)
      throw misuse('name the corpus once: as a word or by --corpus')
    if (values.to !== undefined && file === undefined) return restoreTo(invocation, values.to)
    if (values.to !== undefined) throw misuse('give a file or --to, not both: a backup is of one moment')
    if (file === undefined) throw misuse('which file? loam restore <file>')
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw misuse(`${file}: no such file`)
    const head = await headOf(file)
    if (head?.type !== 'backup') return importFiles.run({ ...invocation, values: { ...values, corpus: named }, positionals: [file] })
    const connection = connect({ values, env })
    const name = named ?? head.corpus
    const corpus = name === undefined ? await findCorpus(connection) : connection.loam.corpus(name)
    const restored = await bringBack(corpus, file, values.replay)
    if (restored.job && values.wait !== 'accepted') await corpus.waitForJob(restored.job)
    const { version, state, rows, job, enter_anew: anew } = restored
    const rotate = anew.map(
      ({ kind, id, what }) => `  ${kind} ${id} (${what}): ${kind === 'hook' ? `loam hooks rotate ${id}` : `POST …/endpoints/${id}:rotate`}`,
    )
    out.result(restored, {
      people: () =>
        [
          `${corpus.name} is back: ${many(rows, 'row')}, version ${version}\nstate ${state}`,
          ...(restored.replaying > 0 ? [`${many(restored.replaying, 'deletion')} still to be applied; until then it answers nothing`] : []),
          ...(rotate.length > 0 ? ['backups contain no secrets; these stay silent until each has a new one:', ...rotate] : []),
        ].join('\n'),
      plain: () => fields(corpus.name, version ?? '', state ?? '', job ?? ''),
    })
  },
)

/** The reason for refusing a part is printed as it is; what the client says about the whole is about the file. */
async function bringBack(corpus: CorpusClient, file: string, replay: string | undefined): Promise<Restored> {
  try {
    return await corpus.restore(partsIn(file), replay === undefined ? {} : { replay })
  } catch (error) {
    if (error instanceof LoamError && error.code === 'conflict')
      throw new Failure(`${error.message} (conflict)\nAt a terminal: loam restore ${file} -c <another name>`, {
        code: error.code,
        status: error.status,
      })
    if (error instanceof LoamError || error instanceof Failure || !(error instanceof Error) || 'syscall' in error) throw error
    throw new Failure(`${file}: ${error.message}`)
  }
}
