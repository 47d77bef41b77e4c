/** Waits of the object, in milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, Math.max(0, ms))
  return () => clearTimeout(timer)
}
