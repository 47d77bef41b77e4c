/**
 * Terms of texts that are compared with each other and stored nowhere: answers are read, cited and checked by these. The script alone decides how a
 * word is stemmed, so that it need not be known which language a question or a sentence is in.
 */
import type { Stemmed } from './languages'
import { stemmedTerms, terms } from './terms'

const ARABIC = /\p{Script=Arabic}/u
const CYRILLIC = /\p{Script=Cyrillic}/u
const BEYOND_LATIN = /[\u0400-\uffff]/

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** These say nothing about what is asked: particles, and question words. Hiragana are the endings and small words of Japanese. */
const SMALL =
  /什么时候|为什么|什么|怎么样|怎么|多少|多久|多长时间|哪里|哪儿|可以|[的了是在有和与吗呢吧被把谁哪几会要能]|何|誰|\p{Script=Hiragana}+/gu

export function readTerms(text: string): string[] {
  return termsBy(text, stemmedByScript(text))
}

export function termsBy(text: string, language: Stemmed | undefined): string[] {
  if (language !== undefined) return stemmedTerms(text, language)
  return isUnspaced(text) ? saidInHan(text) : terms(text)
}

/** All of the text if it has nothing but small words. */
function saidInHan(text: string): string[] {
  const said = terms(text.replace(SMALL, ' '))
  return said.length > 0 ? said : terms(text)
}

/** How a text's words are stemmed if nothing else is known about it. */
export function stemmedByScript(text: string): Stemmed | undefined {
  if (!BEYOND_LATIN.test(text)) return undefined
  if (ARABIC.test(text)) return 'ar'
  return CYRILLIC.test(text) ? 'ru' : undefined
}

/** It is written without spaces: its characters are paired. */
export function isUnspaced(text: string): boolean {
  return BEYOND_LATIN.test(text) && HAN.test(text)
}
