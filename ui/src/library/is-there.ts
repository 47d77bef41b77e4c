import { loam } from '../shared/loam'

const PAGE = 200 // corpora

/** Is there a corpus with this name? Deleted ones do not count. Looked up in the list: a browser reports each 404 as an error. */
export async function isThere(name: string): Promise<boolean> {
  let cursor: string | null = null
  do {
    const page = await loam().corpora({ limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    const found = page.data.find(({ corpus }) => corpus >= name) // in order of name
    if (found) return found.corpus === name && found.status !== 'deleted' && found.status !== 'deleting'
    cursor = page.next_cursor
  } while (cursor !== null)
  return false
}
