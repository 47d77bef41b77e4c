/** Languages, by their names in English, as the page is. */
import { languageCodes } from '../../../src/core/text/languages'

/** In place of a key of metadata: what is found is counted by the language of its documents (`LANGUAGE_FACET` of the contract, which would bring its schemas along). */
export const LANGUAGE = '@language'

/** Its code where the browser has no name for it. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code) ?? code
}

export const facetName = (key: string): string => (key === LANGUAGE ? 'language' : key)

/** All that are told apart, by name. */
export const knownLanguages = (): readonly (readonly [code: string, name: string])[] =>
  languageCodes.map((code) => [code, languageName(code)] as const).sort(([, a], [, b]) => (a < b ? -1 : 1))
