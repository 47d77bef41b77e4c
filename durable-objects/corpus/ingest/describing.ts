/**
 * The settings for describing pictures and transcribing recordings in this corpus, and what was made of the same bytes before: that is not
 * paid for again.
 */
import type { DescribingTerms } from '../../../src/ports/object'
import type { CorpusContext } from '../store'
import { readGivenOutline } from '../tables/outline'
import { readNewestRevision } from '../tables/revision'

export function describingTerms(
  { sql, config }: Pick<CorpusContext, 'sql' | 'config'>,
  document: string | null,
  hash: string,
): DescribingTerms {
  const { settings, budget, prices } = config
  const newest = document === null ? undefined : readNewestRevision(sql, document)
  const outline = newest && newest.state !== 'failed' ? readGivenOutline(sql, newest.n) : []
  const made = newest && outline.some(({ described }) => described !== undefined) ? { text: newest.text, outline } : null
  const isMade = outline.some(({ described }) => described === hash)
  return {
    isOn: settings.pictures?.describe ?? false,
    isHeard: settings.recordings?.transcribe ?? false,
    language: settings.language ?? null,
    budget,
    ...(prices ? { prices } : {}),
    known: isMade ? made : null,
    ...(made && !isMade ? { parts: made } : {}),
  }
}
