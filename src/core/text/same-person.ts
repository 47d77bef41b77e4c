/** Which names in one text are a person's full name with initials in place of forenames: "J. R. Smith" if the text also says "John Smith". Pure. */
const INITIALS = /^(?:\p{Lu}\.?[ ]?){1,3}$/u
const NAME = /^\p{Lu}[\p{L}\p{M}'’-]+$/u
const MAX_WORDS = 4

/** From the surface of a name with initials to that of the one full name it fits; names that fit none, or several, are left out. */
export function fullNames(surfaces: Iterable<string>): ReadonlyMap<string, string> {
  const short: { readonly surface: string; readonly initials: string; readonly last: string }[] = []
  const full = new Map<string, { readonly surface: string; readonly initials: string }[]>() // by last name
  for (const surface of surfaces) {
    const words = surface.split(/\s+/u)
    const last = words[words.length - 1] ?? ''
    if (words.length < 2 || words.length > MAX_WORDS || !NAME.test(last)) continue
    const before = words.slice(0, -1)
    const initials = before.join(' ')
    if (INITIALS.test(initials)) short.push({ surface, initials: initials.replace(/[^\p{Lu}]/gu, ''), last })
    else if (NAME.test(before[0] ?? '') && before.every((word) => NAME.test(word) || INITIALS.test(word)))
      full.set(last, [...(full.get(last) ?? []), { surface, initials: before.map((word) => word[0] ?? '').join('') }])
  }
  return new Map(
    short.flatMap(({ surface, initials, last }): [string, string][] => {
      const fitting = (full.get(last) ?? []).filter((one) => fits(initials, one.initials))
      const [only] = fitting
      return only && fitting.length === 1 ? [[surface, only.surface]] : []
    }),
  )
}

/** The first letters are the same, and if both are longer, one begins with the other. */
function fits(a: string, b: string): boolean {
  return a !== '' && (a.startsWith(b) || b.startsWith(a))
}
