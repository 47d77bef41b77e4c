/** Languages by their English names, since the page is in English. */
import { languageCodes } from '../../../src/core/text/languages'

/** Used in place of a metadata key: results are counted by the language of their documents (`LANGUAGE_FACET` in the contract, which would import its schemas too). */
export const LANGUAGE = '@language'

/** Its code if the browser has no name for it. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code) ?? code
}

export const facetName = (key: string): string => (key === LANGUAGE ? 'language' : key)

/** All languages that are distinguished, by name. */
export const knownLanguages = (): readonly (readonly [code: string, name: string])[] =>
  languageCodes.map((code) => [code, languageName(code)] as const).sort(([, a], [, b]) => (a < b ? -1 : 1))
