/** Which sequence of a context a prompt goes to: what a sequence has read of it already, from its beginning, is not read again. */

const WORTH = 32 // tokens: fewer are only the form of a conversation, which any two prompts share

/**
 * The place of the free sequence that has most of `prompt` at its beginning. If none has any of it, or several have the same: the first.
 * `free`: what each has read and written last, the one unused for longest first.
 */
export function nearest(free: readonly (readonly number[])[], prompt: readonly number[]): number {
  const shared = free.map((tokens) => {
    const end = prompt.findIndex((token, i) => token !== tokens[i])
    const same = end < 0 ? prompt.length : end
    return same < WORTH ? 0 : same
  })
  return shared.indexOf(Math.max(...shared))
}
