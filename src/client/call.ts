/** Calls about one corpus: its path, and answers read as JSON. What is answered without a body is nothing. */
import type { Call, Send } from './send'
import type { Page, Paging } from './types'

const LARGEST = 200 // items of a page, where all are wanted

export type CallCorpus = <T>(method: string, path: string, call?: Call) => Promise<T>

export const pathOf = (corpus: string): string => `/v1/corpora/${encodeURIComponent(corpus)}`

export function callerOf(send: Send, corpus: string): CallCorpus {
  return async <T>(method: string, path: string, call: Call = {}) => {
    const response = await send(method, pathOf(corpus) + path, call)
    return (response.status === 204 ? undefined : await response.json()) as T
  }
}

/** All of a list, page by page. */
export async function* walked<T>(page: (paging: Paging) => Promise<Page<T>>): AsyncGenerator<T, void, void> {
  for (let cursor: string | undefined; ; ) {
    const { data, next_cursor } = await page({ cursor })
    yield* data
    if (next_cursor === null) return
    cursor = next_cursor
  }
}

/** The first of a list, up to so many: whole pages, so that it may be a few more. */
export async function collected<T>(
  page: (paging: Paging) => Promise<Page<T>>,
  max: number,
): Promise<{ readonly data: readonly T[]; readonly more: boolean }> {
  const data: T[] = []
  for (let cursor: string | undefined; ; ) {
    const next = await page({ cursor, limit: LARGEST })
    data.push(...next.data)
    if (next.next_cursor === null || data.length >= max) return { data, more: next.next_cursor !== null }
    cursor = next.next_cursor
  }
}
