/** `loam watch`: keeps a folder as documents: ingests what is new or has changed, until Ctrl-C. Prints what `loam ingest` prints, each time. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CorpusClient, LoamError } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse, toFailure } from '../failure'
import { fileIntake, idOfFile, readFiles } from '../ingest/read-files'
import { takeIn } from '../ingest/take-in'
import { field, type Output } from '../output'
import { chooseBase, type FoundFile, findFiles } from '../reading/files'

const EVERY = '2' // seconds between two checks

export const watch = command(
  {
    usage: 'watch <folder>…',
    summary: 'keep a folder as documents: ingest what is new or has changed, until Ctrl-C',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...fileIntake,
      every: text(`seconds between two checks (${EVERY})`),
      forget: flag('delete the documents of files that are gone'),
    },
    examples: ['loam watch notes', 'loam watch handbook --forget'],
  },
  async ({ values, positionals, out, env, stdin }) => {
    if (positionals.length === 0) throw misuse('which folder? loam watch <folder>…')
    const pause = Number(values.every ?? EVERY) * 1000
    if (!(pause > 0)) throw misuse('--every: expected the seconds between two checks')
    const roots = positionals.map((one) => resolve(one))
    for (const root of roots) if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw misuse(`${root}: no such folder`)
    const base = chooseBase(
      roots.map((root) => ({ path: join(root, 'file') })),
      values.base,
    )
    const corpus = await findCorpus(connect({ values, env }))
    const looks = changesIn(positionals)
    for (let isFirst = true; ; isFirst = false) {
      const { changed, gone } = await looks(isFirst)
      if (changed.length > 0)
        await trying(out, () => takeIn({ corpus, read: () => readFiles(changed, base, values), values, out, stdin }), isFirst)
      if (values.forget) for (const path of gone) await trying(out, () => forget(corpus, idOfFile(path, base, values), out), false)
      if (isFirst) out.note(`watching ${positionals.map(field).join(', ')}; Ctrl-C ends it`)
      await sleep(pause)
    }
  },
)

interface Changes {
  readonly changed: readonly FoundFile[]
  readonly gone: readonly string[]
}

/** A file counts as changed once it is the same at two checks, so that none is read while it is written; at the first check, at once. */
function changesIn(folders: readonly string[]): (isFirst: boolean) => Promise<Changes> {
  const taken = new Map<string, string>()
  let before = new Map<string, string>()
  return async (isFirst) => {
    const { isReadable } = await import('../reading/documents')
    const files = (await filesIn(folders)).filter(({ path }) => isReadable(path))
    const now = new Map(files.map(({ path }) => [path, stampOf(path)]))
    const changed = files.filter(({ path }) => {
      const stamp = now.get(path)
      return stamp !== undefined && stamp !== taken.get(path) && (isFirst || stamp === before.get(path))
    })
    const gone = [...taken.keys()].filter((path) => !now.has(path))
    for (const { path } of changed) taken.set(path, now.get(path) ?? '')
    for (const path of gone) taken.delete(path)
    before = now
    return { changed, gone }
  }
}

/** An empty folder is one that will be filled. */
async function filesIn(folders: readonly string[]): Promise<readonly FoundFile[]> {
  const found = await Promise.all(
    folders.map((one) =>
      findFiles([one]).catch((error: unknown) => {
        if (toFailure(error)) return []
        throw error
      }),
    ),
  )
  return [...new Map(found.flat().map((one) => [one.path, one])).values()]
}

function stampOf(path: string): string {
  const kind = statSync(path, { throwIfNoEntry: false })
  return kind ? `${kind.mtimeMs} ${kind.size}` : ''
}

async function forget(corpus: CorpusClient, id: string, out: Output): Promise<void> {
  try {
    await corpus.remove(id)
    out.note(`${field(id)} is deleted because its file is gone`)
  } catch (error) {
    if (!(error instanceof LoamError && error.code === 'document_not_found')) throw error
  }
}

/** Failures while the folder is watched are reported, and the next change is tried again. */
async function trying(out: Output, act: () => Promise<void>, mayEnd: boolean): Promise<void> {
  try {
    await act()
  } catch (error) {
    const failure = toFailure(error)
    if (!failure || mayEnd || failure.code === 'interrupted') throw error
    out.note(`loam: ${failure.message}`)
  }
}
