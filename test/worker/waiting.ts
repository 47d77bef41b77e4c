/** Waiting that ends: what is waited for comes, or the test fails and says what did not. No loop of a test is without an end. */

const PATIENCE = 90_000 // ms; shorter than a test may take (project.mjs), so that the failure names what was waited for
const BETWEEN = 10 // ms between two looks: a timer lets everybody else in this isolate go on

/** Looks until there is something; `undefined` is not yet. `what` completes "waited for …". */
export async function eventually<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined> | T | undefined,
  patience = PATIENCE,
): Promise<T> {
  const until = Date.now() + patience
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() >= until) throw new Error(`waited ${patience / 1000} s in vain for ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN))
  }
}

interface View {
  readonly status: string
}

/** The job once it has ended, however it has. `look` may wait at the server. */
export async function ended<V extends View>(job: string, look: () => Promise<V>): Promise<V> {
  let seen = 'never looked at'
  return eventually(
    () => `the end of job ${job}, which is ${seen}`,
    async () => {
      const view = await look()
      seen = view.status
      return seen === 'queued' || seen === 'running' ? undefined : view
    },
  )
}
