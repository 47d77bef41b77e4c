/** Lets a limited number run at once; the others wait in order of arrival. */
export function atOnce(max: number): <T>(start: () => Promise<T>) => Promise<T> {
  let free = max
  const waiting: (() => void)[] = []
  return async (start) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await start()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
