/** A light German stemmer. Nouns, adjectives and weak verbs lose their endings alike: "eröffnet", "eröffnete" and "eröffnen" become one; Snowball's leaves three. */
const MIN_STEM = 4
const ENDING = /(?:test|tet|ten|te|est|et|st|en|er|es|em|e|n|s|t)$/

export function germanStem(word: string): string {
  const once = cut(word.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, ''))
  return once.endsWith('e') ? cut(once) : once
}

function cut(word: string): string {
  const ending = ENDING.exec(word)?.[0] ?? ''
  for (let length = ending.length; length > 0; length--) {
    const suffix = word.slice(-length)
    if (word.length - length >= MIN_STEM - (length > 1 ? 1 : 0) && ENDING.exec(suffix)?.index === 0) return word.slice(0, -length)
  }
  return word
}
