/**
 * The languages that are told apart, by their code (ISO 639-1). Those whose words are stemmed in their own way (stemming.ts) have terms of their
 * own; the others have common terms.
 */
import type { Stemmed } from '../graph/types'

export type { Stemmed }

/** By code, with the names used in a prompt. */
export const LANGUAGES = {
  ar: 'Arabic',
  bg: 'Bulgarian',
  cs: 'Czech',
  da: 'Danish',
  de: 'German',
  el: 'Greek',
  en: 'English',
  es: 'Spanish',
  fi: 'Finnish',
  fr: 'French',
  he: 'Hebrew',
  hi: 'Hindi',
  hu: 'Hungarian',
  id: 'Indonesian',
  it: 'Italian',
  ja: 'Japanese',
  ko: 'Korean',
  nl: 'Dutch',
  no: 'Norwegian',
  pl: 'Polish',
  pt: 'Portuguese',
  ro: 'Romanian',
  ru: 'Russian',
  sr: 'Serbian',
  sv: 'Swedish',
  th: 'Thai',
  tr: 'Turkish',
  uk: 'Ukrainian',
  vi: 'Vietnamese',
  zh: 'Chinese',
} as const

export type Language = keyof typeof LANGUAGES

export const languageCodes = Object.keys(LANGUAGES) as readonly Language[]

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code)
}

const STEMMED: { readonly [language in Stemmed]: true } = {
  ar: true,
  da: true,
  de: true,
  es: true,
  fi: true,
  fr: true,
  hu: true,
  it: true,
  nl: true,
  no: true,
  pt: true,
  ro: true,
  ru: true,
  sv: true,
  tr: true,
}

export const stemmed = Object.keys(STEMMED) as readonly Stemmed[]

/** The language by which a text's words are stemmed; undefined: stemmed as English, and paired in scripts without spaces. */
export function stemmedLike(language: string | undefined): Stemmed | undefined {
  return language !== undefined && Object.hasOwn(STEMMED, language) ? (language as Stemmed) : undefined
}
