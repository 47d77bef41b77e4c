/** What is asked of one object and of partitions. */
import { type Corpus, corpus } from '../quality/corpora'
import { Corpus as Pages } from '../scale/corpus'

/** Sets as one corpus: ids are told apart by the set, and of equal passages the first stands for all. */
export function joined(folder: string, names: readonly string[]): Corpus {
  const sets = names.map((name) => corpus(folder, name, true))
  const known = new Map<string, string>()
  const ids = new Map<string, string>()
  const passages = sets.flatMap(({ name, passages: own }) =>
    own.flatMap((passage) => {
      const id = `${name}/${passage.id}`
      const content = `${passage.title}\n${passage.text}`
      const first = known.get(content) ?? id
      known.set(content, first)
      ids.set(id, first)
      return first === id ? [{ ...passage, id }] : []
    }),
  )
  const all = sets.flatMap(({ name, questions: own }) =>
    own.map((question) => ({ ...question, gold: question.gold.map((id) => ids.get(`${name}/${id}`) ?? '') })),
  )
  return { name: names.join(), passages, questions: all }
}

/** Questions about one page each. */
export function made(pages: number): Corpus {
  const source = new Pages()
  const passages = Array.from({ length: pages }, (_, n) => source.page(n))
  const byTitle = new Map(passages.map(({ title, id }) => [title, id]))
  const titled = (text: string): string[] => [...byTitle].flatMap(([title, id]) => (text.includes(`What does ${title} say of`) ? [id] : []))
  const all = Array.from({ length: 100 }, (_, n) => source.question(n, pages)).map((text, n) => ({
    id: String(n),
    text,
    gold: titled(text),
    answers: [],
    type: '',
  }))
  return { name: 'pages', passages, questions: all.filter((question) => question.gold.length > 0) }
}
