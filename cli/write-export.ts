/** Writes an export, or another answer, to a file, which appears only when it is complete. */
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CorpusClient, LoamError } from '../src/client/client'
import { Failure } from './failure'

type Format = 'jsonl' | 'graphml'

/** How many bytes it has. */
export async function writeExport(corpus: CorpusClient, format: Format, file: string): Promise<number> {
  return saveAnswer(await corpus.export(format), file, 'the export')
}

/** As a file; the number of its bytes. `what`: as an interruption names it. */
export async function saveAnswer({ body }: Response, file: string, what: string): Promise<number> {
  const temporary = `${file}.part`
  try {
    await pipeline(Readable.from(body ?? []), createWriteStream(temporary)).catch((error) => fail(error, what))
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
  return statSync(file).size
}

export async function printExport(corpus: CorpusClient, format: Format): Promise<void> {
  const { body } = await corpus.export(format)
  await pipeline(Readable.from(body ?? []), process.stdout, { end: false }).catch((error) => fail(error, 'the export'))
}

interface Cause {
  readonly code?: string
}

/** Errors of the file system and the service explain themselves; a broken connection does not, and an incomplete file is useless. */
function fail(error: NodeJS.ErrnoException, what: string): never {
  if (error instanceof LoamError || error.syscall) throw error
  throw new Failure(`${what} was interrupted (${(error.cause as Cause | undefined)?.code ?? error.code ?? error.message})`)
}
