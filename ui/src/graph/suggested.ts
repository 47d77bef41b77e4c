/** Names to start from: the most frequent ones in the corpus; titles of its documents only if there are few others. */
import type { Node } from '../../../src/client/client'
import { filled } from '../shared/filled'
import { corpusAt } from '../shared/loam'
import { mentionedIn } from './mentioned'
import { nameOf } from './namesakes'

const READ = 100 // names among which they are chosen
const TITLES = 200 // documents
const SHOWN = 12

export async function wellConnected(corpus: string, signal: AbortSignal): Promise<readonly Node[]> {
  const there = corpusAt(corpus, signal)
  const [{ data }, documents] = await Promise.all([
    there.entities({ sort: 'mentions', limit: READ }),
    filled((from) => there.page({ ...from, limit: TITLES })),
  ])
  const titles = new Set(documents.data.map(({ title }) => title.toLowerCase()))
  const ranked = data.filter((node) => mentionedIn(node) > 0) // pinned ones first
  const others = ranked.filter((node) => !titles.has(nameOf({ text: node.text }).toLowerCase()))
  return (others.length < SHOWN ? ranked : others).slice(0, SHOWN)
}
