/**
 * What is removed from a question before it is logged, if a corpus logs questions redacted: addresses, numbers that identify
 * somebody, secrets. Names stay. Pure.
 */

const RULES: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/\b(?:https?|ftp):\/\/\S+/gi, '[url]'],
  [/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[email]'],
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, '[number]'], // bank accounts
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}\b/g, '[secret]'], // keys and tokens
  [/(?<![\d-])(?!\d{4}-\d{2}-\d{2}\b)\+?\d(?:[ ().-]{0,2}\d){5,}/g, '[number]'], // telephones, cards, accounts; not dates
]

export function redacted(text: string): string {
  return RULES.reduce((left, [pattern, by]) => left.replace(pattern, by), text)
}
