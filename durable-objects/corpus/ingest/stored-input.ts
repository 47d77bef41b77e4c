/** A document as it was submitted, rebuilt from storage: to be indexed again when a language is corrected or first detected. */
import type { Json } from '../../../src/core/graph/types'
import type { Dates } from '../../../src/core/text/iso-date'
import type { Language } from '../../../src/core/text/languages'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Sql } from '../../sql'
import { readBrought } from '../tables/brought'
import { readGivenOutline } from '../tables/outline'
import type { Revision } from '../tables/revision'

/** With its own file, in this language; null: in the one detected from its text. Labels and switch stay unchanged. */
export function storedInput(sql: Sql, revision: Revision, language: Language | null): DocumentInput {
  const { document, text, title, url, metadata, dates } = revision
  const outline = readGivenOutline(sql, revision.n)
  const brought = readBrought(sql, revision.n)
  return {
    id: document,
    text,
    title,
    url,
    metadata: JSON.parse(metadata) as { readonly [key: string]: Json },
    dates: JSON.parse(dates) as Dates,
    ...(outline.length > 0 ? { outline } : {}),
    ...(brought ? { brought } : {}),
    ...(language ? { language } : {}),
    file: 'same',
  }
}
