/** Drafts in groups, each embedded and committed as one. */
import type { Draft } from './draft'

const ENOUGH = 1 / 4 // of what a group may have

/**
 * Consecutive drafts with at most so many texts together; one alone may have more. A group that has enough ends where a job ends: the object then puts whole
 * documents into the graph, and stores no vectors until the rest of them comes.
 */
export function groups(all: readonly Draft[], max: number): Draft[][] {
  const out: Draft[][] = []
  let [size, isOver] = [0, true]
  for (const draft of all) {
    size += draft.texts.length
    const last = out.at(-1)
    if (last && !isOver && size <= max) last.push(draft)
    else {
      out.push([draft])
      size = draft.texts.length
    }
    isOver = draft.task.isLastOfJob === true && size >= max * ENOUGH
  }
  return out
}

/** While one group is committed, the next is embedded: the object and the models wait for each other as little as possible. Commits keep their order. */
export async function overlapped<T, R>(
  all: readonly T[],
  prepare: (one: T) => Promise<R>,
  finish: (ready: R) => Promise<void>,
): Promise<void> {
  let last: Promise<void> = Promise.resolve()
  try {
    for (const one of all) {
      const ready = await prepare(one)
      await last
      last = finish(ready)
      last.catch(() => undefined) // it is thrown when it is awaited
    }
  } finally {
    await last
  }
}

/** Groups of finished drafts, in the order in which they finish; the others continue meanwhile. */
export async function* asTheyCome(
  pending: readonly Promise<Draft | undefined>[],
  size: number,
): AsyncGenerator<readonly Draft[], void, void> {
  const done: (Draft | undefined)[] = []
  let wake = (): void => {}
  for (const one of pending) {
    void one.then((draft) => {
      done.push(draft)
      wake()
    })
  }
  for (let seen = 0; seen < pending.length; ) {
    const enough = Math.min(size, pending.length - seen)
    if (done.length < enough) await new Promise<void>((resolve) => (wake = () => done.length >= enough && resolve()))
    const group = done.splice(0, size)
    seen += group.length
    yield group.filter((draft) => draft !== undefined)
  }
}
