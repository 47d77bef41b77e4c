const MAX = 5000 // steps; no world of these tests takes a hundred

/** Works step by step until it is done. What never ends fails here, where a bare loop would hang the whole run. */
export function until(done: () => boolean, step: () => unknown = () => undefined): void {
  for (let n = 0; !done(); n++) {
    if (n >= MAX) throw new Error(`not done after ${MAX} steps`)
    step()
  }
}
