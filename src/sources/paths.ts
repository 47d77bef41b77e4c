/**
 * Which paths are included: `*` stands for anything but a slash, `**` for anything, `?` for one character. The time is linear in pattern
 * times path, whatever they contain.
 */

export interface Globs {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** If nothing is included, everything is, except what is excluded. */
export const isTaken = ({ include, exclude }: Globs, path: string): boolean =>
  (include.length === 0 || include.some((glob) => fits(glob, path))) && !exclude.some((glob) => fits(glob, path))

/** `/docs/**` matches `/docs/a/b` and `/docs/`; `**` with its slash also matches nothing at all: `a/**` + `/b` matches `a/b`. */
export function fits(glob: string, path: string): boolean {
  const steps = glob.match(/\*\*\/|\*\*|\*|\?|[^*?]/gs) ?? []
  // The positions in the path that the steps so far can reach.
  let places = new Set([0])
  for (const step of steps) {
    const next = new Set<number>()
    const reach = (from: number, isOver: (char: string) => boolean): void => {
      for (let at = from; ; at++) {
        if (next.has(at)) return
        next.add(at)
        if (at >= path.length || isOver(path[at] ?? '')) return
      }
    }
    for (const at of places) {
      if (step === '**/') {
        next.add(at)
        for (let slash = path.indexOf('/', at); slash >= 0 && !next.has(slash + 1); slash = path.indexOf('/', slash + 1))
          next.add(slash + 1)
      } else if (step === '**') reach(at, () => false)
      else if (step === '*') reach(at, (char) => char === '/')
      else if (at < path.length && (step === path[at] || (step === '?' && path[at] !== '/'))) next.add(at + 1)
    }
    places = next
    if (places.size === 0) return false
  }
  return places.has(path.length)
}
