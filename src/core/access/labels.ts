/**
 * Who may read a document. A document carries labels (`group:finance`, `user:ana@example.org`), and an asker speaks for principals of the same form; the
 * asker may read documents that share one. A document without labels has those of its corpus; if there are none, everybody may read it. Compared letter by
 * letter.
 */

/** What an asker speaks for; `all`: an administrator, who sees whatever its labels. Absent, everywhere: no principals. */
export type Asker = 'all' | readonly string[]

/** As a label: for every reader of the corpus, even if documents without labels are not. */
export const EVERYONE = '*'

export const labelLimits = {
  length: 200, // characters of one
  perDocument: 64,
  perAsker: 256, // groups of a person, at most
} as const

/** No commas (lists in headers), no invisible characters, and no blank at either end. */
export function isLabel(text: string): boolean {
  return text.length <= labelLimits.length && /^[^\s\p{C},](?:[^\p{C},]*[^\s\p{C},])?$/u.test(text)
}

/** The canonical form of a list: sorted, each label once. */
export function ordered(labels: readonly string[]): readonly string[] {
  return [...new Set(labels)].sort()
}

/** Decides on one list of labels; `inherited` are those of a document without any, absent: for everybody. */
export function reader(asker: Asker, inherited: readonly string[] | undefined): (labels: readonly string[]) => boolean {
  if (asker === 'all') return () => true
  const own = new Set([...asker, EVERYONE])
  const shares = (labels: readonly string[]): boolean => labels.some((label) => own.has(label))
  const unlabelled = inherited === undefined || shares(inherited)
  return (labels) => (labels.length === 0 ? unlabelled : shares(labels))
}
