/**
 * A document whose text was corrected here is sent again: the text it was corrected from counts as the corrected one, so that a source that is read again
 * does not undo a correction; any other text replaces it.
 */
import { fingerprint } from '../../../src/core/ids'
import type { CorrectionKept, DocumentInput } from '../../../src/ports/documents'
import type { Sql } from '../../sql'
import { readBrought } from '../tables/brought'
import { readGivenOutline } from '../tables/outline'
import { type Revision, readLiveRevision } from '../tables/revision'

/** The fingerprint of a submitted text. */
export const sourceOf = (text: string): string => fingerprint(text)

export interface HandedIn {
  readonly input: DocumentInput
  /** Absent: nothing was corrected, or this is the correction. */
  readonly correction?: CorrectionKept
}

export function withCorrection(sql: Sql, input: DocumentInput, newest: Revision | undefined): HandedIn {
  if (input.correctionOf !== undefined) return { input }
  // A failed version is never served: the one before it stays.
  const revision = newest?.state === 'failed' ? readLiveRevision(sql, input.id) : newest
  if (!revision?.source) return { input }
  const correctionOf = revision.source
  if (input.text === revision.text) return { input: { ...input, correctionOf }, correction: 'kept' }
  if (sourceOf(input.text) !== correctionOf) return { input, correction: 'replaced' }
  const { outline: _, brought: own, ...rest } = input
  const outline = readGivenOutline(sql, revision.n)
  const brought = own && readBrought(sql, revision.n) // its places follow the corrected text
  const corrected = {
    ...rest,
    text: revision.text,
    correctionOf,
    ...(outline.length > 0 ? { outline } : {}),
    ...(brought ? { brought } : {}),
  }
  return { input: corrected, correction: 'kept' }
}
