/**
 * Writes a backup to a file, which appears only when it is complete. An interrupted backup stays next to it, and the same command continues from its last
 * complete part.
 */
import { createWriteStream, existsSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CorpusClient, LoamError } from '../../src/client/client'
import { Failure } from '../failure'
import type { Output } from '../output'
import { type FilePart, headOf, partsIn } from './parts'

const MAX_TRIES = 3 // for a corpus that changes while it is read

export interface Written {
  readonly bytes: number
  readonly rows: number
  readonly parts: number
  readonly version: number
  readonly state: string
}

export async function writeBackup(corpus: CorpusClient, file: string, out: Output): Promise<Written> {
  const partial = `${file}.part`
  for (let tries = 1; ; tries++) {
    try {
      await readOn(corpus, partial, out)
      break
    } catch (error) {
      const hasChanged = error instanceof LoamError && (error.code === 'conflict' || (error.code === 'invalid' && existsSync(partial)))
      if (!hasChanged) throw brokenOff(error)
      rmSync(partial, { force: true })
      if (tries === MAX_TRIES) throw new Failure('the corpus keeps changing; wait until it is settled (loam status --watch)')
      out.note('the corpus has changed since; starting over')
    }
  }
  const { version = 0, state = '' } = (await headOf(partial)) ?? {}
  let [rows, last]: [number, FilePart | undefined] = [0, undefined]
  for await (const part of partsIn(partial)) [rows, last] = [rows + part.rows, part]
  if (!last || last.cursor !== undefined) throw new Failure('the backup was interrupted; run the same command again to continue')
  renameSync(partial, file)
  return { bytes: last.upTo, rows, parts: last.number, version, state }
}

async function readOn(corpus: CorpusClient, partial: string, out: Output): Promise<void> {
  let last: FilePart | undefined
  if (existsSync(partial)) for await (const part of partsIn(partial)) last = part
  if (last && last.cursor === undefined) return
  if (existsSync(partial)) truncateSync(partial, last?.upTo ?? 0)
  if (last) out.note(`continuing after part ${last.number}, ${(last.upTo / 1e6).toFixed(1)} MB`)
  const { body } = await corpus.backup(last?.cursor)
  await pipeline(Readable.from(body ?? []), createWriteStream(partial, { flags: 'a' }))
}

interface Cause {
  readonly code?: string
}

function brokenOff(error: unknown): unknown {
  if (error instanceof LoamError || error instanceof Failure || !(error instanceof Error) || 'syscall' in error) return error
  const { code, cause } = error as NodeJS.ErrnoException & { readonly cause?: Cause }
  return new Failure(`the backup was interrupted (${cause?.code ?? code ?? error.message}); run the same command again to continue`)
}
