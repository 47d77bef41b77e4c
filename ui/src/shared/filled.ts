/** Lists with rows that others may read: a page may be empty and still lead on. */

const EMPTY = 4 // empty pages that are skipped at a time

interface Listed {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}

/** The first page with content; after several empty ones, the last of these, which leads on. `from`: null is the beginning. */
export async function filled<T extends Listed>(
  read: (paging: { readonly cursor?: string }) => Promise<T>,
  from: string | null = null,
): Promise<T> {
  let cursor = from
  for (let empty = 0; ; empty++) {
    const page = await read(cursor === null ? {} : { cursor })
    cursor = page.next_cursor
    if (page.data.length > 0 || cursor === null || empty === EMPTY) return page
  }
}
