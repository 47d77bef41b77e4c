/** Groups of nodes as one number per node. */

export function singletons(size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, u) => u)
}

/** From 0, in the order of first occurrence. */
export function renumbered(groups: Int32Array): Int32Array {
  const names = new Map<number, number>()
  return groups.map((group) => {
    const known = names.get(group)
    if (known !== undefined) return known
    names.set(group, names.size)
    return names.size - 1
  })
}
