/** The chapters and sections that a PDF names in its bookmarks, and where each begins in the text that was read. */
import type { OutlineEntry } from '../../core/text/outline'

const MAX_BOOKMARKS = 500
const LEVELS = 4
const MAX_HEADING = 200 // characters

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>
type Node = Awaited<ReturnType<Pdf['getOutline']>>[number]

interface Bookmark {
  readonly heading: string
  readonly level: number
  /** From 1 on. */
  readonly page: number
}

/** `pages`: where each page begins in the text, in order. A title that its page does not say begins with the page. Never throws. */
export async function headingsOf(pdf: Pdf, text: string, pages: readonly OutlineEntry[]): Promise<readonly OutlineEntry[]> {
  const found = await bookmarksOf(pdf).catch(() => [])
  const from = new Map<number, number>()
  return found.flatMap(({ heading, level, page }) => {
    const at = pages.findIndex((one) => one.page === page)
    const begin = pages[at]?.start
    if (begin === undefined) return []
    const start = placeOf(text, heading, { from: from.get(page) ?? begin, to: pages[at + 1]?.start ?? text.length }) ?? begin
    from.set(page, start)
    return [{ start, heading, level }]
  })
}

async function bookmarksOf(pdf: Pdf): Promise<Bookmark[]> {
  const found: Bookmark[] = []
  const visit = async (nodes: readonly Node[], level: number): Promise<void> => {
    for (const node of nodes) {
      if (found.length >= MAX_BOOKMARKS) return
      const heading = node.title.replace(/\s+/g, ' ').trim().slice(0, MAX_HEADING)
      const page = heading === '' ? undefined : await pageOf(pdf, node.dest)
      if (page !== undefined) found.push({ heading, level, page })
      if (level < LEVELS) await visit(node.items, level + 1)
    }
  }
  await visit((await pdf.getOutline()) ?? [], 1)
  return found
}

/** Undefined: it leads nowhere in this file. */
async function pageOf(pdf: Pdf, dest: Node['dest']): Promise<number | undefined> {
  const place: unknown = typeof dest === 'string' ? await pdf.getDestination(dest).catch(() => null) : dest
  const [target]: unknown[] = Array.isArray(place) ? place : []
  if (typeof target === 'number') return target + 1
  if (typeof target !== 'object' || target === null) return undefined
  const index = await pdf.getPageIndex(target as Parameters<Pdf['getPageIndex']>[0]).catch(() => undefined)
  return index === undefined ? undefined : index + 1
}

/** The line that says it, with or without the number before it. */
function placeOf(text: string, heading: string, { from, to }: { readonly from: number; readonly to: number }): number | undefined {
  const words = heading.split(' ').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const found = new RegExp(`^[^\\p{L}\\n]{0,20}${words.join('\\s+')}`, 'imu').exec(text.slice(from, to))
  return found ? from + found.index + (/^\s*/.exec(found[0])?.[0].length ?? 0) : undefined
}
