/** Evaluation sets: a corpus, questions, and which documents hold the answer. Read from a folder given by option or LOAM_DATA. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../src/core/text/languages'

export interface Passage {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Absent: told by its text; null: not told, as it was before languages were. */
  readonly language?: Language | null
}

export interface Question {
  readonly id: string
  readonly text: string
  readonly gold: readonly string[]
  readonly answers: readonly string[]
  readonly type: string
}

export interface Corpus {
  readonly name: string
  readonly passages: readonly Passage[]
  readonly questions: readonly Question[]
}

const FILES: { readonly [name: string]: string } = {
  dev_2wiki: 'multihop/dev_2wiki.json',
  dev_hotpot: 'multihop/dev_hotpot.json',
  hotpotqa_train100: 'multihop/hotpotqa_train100.json',
  musique_train100: 'multihop/musique_train100.json',
  xquad: 'other/xquad.json',
  cranfield: 'other/cranfield.json',
  lihua: 'chat/lihua_first_half.json',
  web_mathematics: 'web/mathematics.json',
  web_nature: 'web/nature.json',
  web_philosophy: 'web/philosophy.json',
}
export const MULTIHOP = ['dev_2wiki', 'dev_hotpot', 'hotpotqa_train100', 'musique_train100'] as const
/** Whole web pages and chats: what corpora look like that nobody cut into paragraphs. */
export const GROWN = ['web_mathematics', 'web_nature', 'web_philosophy', 'lihua'] as const
export const corpusNames = Object.keys(FILES)

interface File {
  readonly passages: readonly { id: number | string; title?: string; text: string }[]
  readonly queries: readonly { id: number | string; q: string; gold: (number | string)[]; answers?: string[]; type?: string }[]
}

/** A set by name, or any file of the same shape by path. `titles: false` indexes the text alone. */
export function corpus(folder: string, name: string, titles: boolean): Corpus {
  const path = FILES[name] ? join(folder, FILES[name]) : name
  if (!existsSync(path)) throw new Error(`no such set: ${path}`)
  const file = JSON.parse(readFileSync(path, 'utf8')) as File
  return {
    name,
    passages: file.passages.map((one) => ({
      id: String(one.id),
      title: titles ? (one.title ?? '').replaceAll('_', ' ') : '',
      text: one.text,
    })),
    questions: file.queries
      .filter((one) => one.gold.length > 0)
      .map((one) => ({ id: String(one.id), text: one.q, gold: one.gold.map(String), answers: one.answers ?? [], type: one.type ?? '' })),
  }
}

export function dataFolder(option: string | undefined): string {
  const folder = option ?? process.env.LOAM_DATA
  if (!folder) throw new Error('where are the data sets? give --data <folder> or set LOAM_DATA')
  return folder
}

const PIECE = 40_000 // characters of a long document put in at once
const LONG = ['ultradomain_mix', ...Array.from({ length: 10 }, (_, i) => `news_${String(i + 1).padStart(2, '0')}`)]

/** The long texts of the insertion sets, in pieces. */
export function longDocuments(folder: string, prefix = 'long'): Passage[] {
  const lines = LONG.flatMap((file) =>
    readFileSync(join(folder, 'insertion', `${file}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean),
  )
  return lines.flatMap((line, at) => {
    const { title, context } = JSON.parse(line) as { title?: string; context: string }
    const pieces = Math.ceil(context.length / PIECE)
    return Array.from({ length: pieces }, (_, i) => ({
      id: `${prefix}${at}.${i}`,
      title: title ?? '',
      text: context.slice(i * PIECE, (i + 1) * PIECE),
    }))
  })
}

/** Some 10,000 passages and more: the multi-hop sets between long documents, and the sets' questions. */
export function merged(folder: string): { readonly documents: readonly Passage[]; readonly questions: readonly Question[] } {
  const sets = MULTIHOP.map((name) => corpus(folder, name, true))
  const long = longDocuments(folder)
  const short = sets.flatMap((set) => set.passages.map((one) => ({ ...one, id: `${set.name} ${one.id}` })))
  // Long documents first and last, short ones between: chunks of the same kind can be compared early and late.
  return { documents: [...long.slice(0, 20), ...short, ...long.slice(20)], questions: sets.flatMap((set) => set.questions) }
}
