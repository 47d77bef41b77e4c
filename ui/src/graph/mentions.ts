/** Which entities a text names, found by their written forms at word boundaries; the longest form at a place wins. */

export interface Named {
  readonly id: string
  readonly forms: readonly string[]
}

export type Finder = (text: string) => readonly string[]

const WORD = /[\p{L}\p{N}]+/gu

export function finderOf(entities: readonly Named[]): Finder {
  const byFirst = new Map<string, { readonly form: string; readonly id: string }[]>()
  for (const { id, forms } of entities) {
    for (const form of forms) {
      const [first] = form.match(WORD) ?? []
      if (first === undefined || !form.startsWith(first)) continue
      byFirst.set(first, [...(byFirst.get(first) ?? []), { form, id }])
    }
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.form.length - a.form.length || (a.id < b.id ? -1 : 1))
  return (text) => {
    const found = new Set<string>()
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const hit = byFirst.get(word)?.find(({ form }) => text.startsWith(form, index) && ends(text, index + form.length))
      if (hit) found.add(hit.id)
    }
    return [...found]
  }
}

function ends(text: string, at: number): boolean {
  return at >= text.length || !/^[\p{L}\p{N}]/u.test(text.slice(at, at + 2))
}
