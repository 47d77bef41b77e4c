/** The name of a file in a header: from a title, which anyone may have written. */
const MAX = 120 // characters
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a name
const NOT_IN_NAMES = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]+/g

/** For content-disposition; RFC 8187. Letters that the header may not hold are percent-encoded, so it cannot be ended or added to. */
export function inlineName(title: string, ending: string): string {
  const plain = title.replace(NOT_IN_NAMES, ' ').replace(/\s+/g, ' ').trim()
  const bare = plain.toLowerCase().endsWith(ending) ? plain.slice(0, -ending.length) : plain
  const name = `${bare.slice(0, MAX).toWellFormed().trim() || 'document'}${ending}`
  return `inline; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
