/** The parts of a backup in a file, each with its digest checked against its lines: which are complete, and where the next begins. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type BackupBegin, type BackupPart, backupBegin, backupParts } from '../../src/client/backup-parts'
import { Failure } from '../failure'

export interface FilePart extends BackupPart {
  /** Bytes of the file up to its end. */
  readonly upTo: number
}

/** Ends silently if the file breaks off within a part; throws if a part is not as it was written. */
export async function* partsIn(file: string): AsyncGenerator<FilePart, void, void> {
  let [before, upTo] = ['', 0]
  for await (const part of backupParts(linesIn(file))) {
    const own = part.text.slice(0, part.text.lastIndexOf('\n', part.text.length - 2) + 1)
    if (createHash('sha256').update(`${before}\n${own}`).digest('hex') !== part.digest)
      throw new Failure(`${file}: part ${part.number} is damaged: it was altered, or a piece is missing`)
    upTo += Buffer.byteLength(part.text)
    before = part.digest
    yield { ...part, upTo }
  }
}

/** Undefined: the first line is not JSON. */
export const headOf = (file: string): Promise<BackupBegin | undefined> => backupBegin(linesIn(file))

const linesIn = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
