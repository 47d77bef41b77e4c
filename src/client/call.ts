/** Lists, page by page. */
import { foreign } from './answer'
import type { Page, Paging } from './types'

const MAX_PAGE = 200 // items of a page, where all are wanted

/** All of a list, page by page; `limit`: items of a page. */
export async function* walked<T>(page: (paging: Paging) => Promise<Page<T>>, limit?: number): AsyncGenerator<T, void, void> {
  for (let cursor: string | undefined; ; ) {
    const { data, next_cursor } = listIn(await page(limit === undefined ? { cursor } : { cursor, limit }))
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
    const next = listIn(await page({ cursor, limit: MAX_PAGE }))
    data.push(...next.data)
    if (next.next_cursor === null || data.length >= max) return { data, more: next.next_cursor !== null }
    cursor = next.next_cursor
  }
}

function listIn<T>(page: Page<T> | undefined): Page<T> {
  if (!page || !Array.isArray(page.data)) throw foreign()
  return page
}
