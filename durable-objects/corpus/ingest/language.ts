/** The language of a new document: the given one, or else that of its text, or else its corpus's. It is detected once for each document. */
import { documentLanguage } from '../../../src/core/language/detect'
import type { Settings } from '../../../src/core/settings'
import { isLanguage, type Language, stemmedLike } from '../../../src/core/text/languages'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Revision } from '../tables/revision'

/** In a row: detection was tried and failed (BCP 47). Empty: the row is older than language detection. */
export const UNDETERMINED = 'und'

type Corpus = Pick<Settings, 'language'>

const told = new WeakMap<DocumentInput, { readonly corpus: Language | undefined; readonly language: Language | undefined }>()

export function languageOfInput(settings: Corpus, input: DocumentInput): Language | undefined {
  if (input.language) return input.language
  const corpus = settings.language ?? undefined
  const known = told.get(input)
  if (known && known.corpus === corpus) return known.language
  const language = documentLanguage(`${input.title}\n${input.text}`, corpus)
  told.set(input, { corpus, language })
  return language
}

/**
 * Was it indexed before languages were detected, and would its words be stemmed differently now? Then it is new although its text is not.
 */
export function isStemmedAnew(settings: Corpus, input: DocumentInput, { language }: Pick<Revision, 'language'>): boolean {
  return language === '' && stemmedLike(languageOfInput(settings, input)) !== undefined
}

/** As callers see it; null: it is not known. */
export function shownLanguage(stored: string): Language | null {
  return isLanguage(stored) ? stored : null
}
