/**
 * Label sets beside those that come in rounds: intents and relations all at once, passages of pages and articles (the label is what they are
 * taken from), paragraphs of encyclopedia articles, abstracts of papers by the question they answer. A draw takes so many
 * examples of each label at random, and keeps the rest or the set's own test texts for questions.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../../src/core/random'
import type { Labelled } from './data'
import { evenly } from './run'

export interface LabelSet {
  readonly name: string
  /** Rules and constants of the decision were chosen on these; the others were first looked at when all was fixed. */
  readonly chosenOn: boolean
  readonly labels: readonly string[]
  readonly train: readonly Labelled[]
  /** Empty: what a draw leaves over. */
  readonly test: readonly Labelled[]
}

export interface Draw {
  readonly labels: readonly string[]
  readonly shots: readonly Labelled[]
  readonly tests: readonly Labelled[]
}

const WINDOW = 110 // words of a passage
const PER_LABEL = 24 // passages of a page at most
const TESTS_PER_LABEL = 6
const LABELS = 64 // of a set of pages at most

export function labelSets(folder: string): LabelSet[] {
  const intents = (rounds: readonly string[], file: string): Labelled[] =>
    rounds.flatMap((round) => rows(join(folder, 'classification/banking77', round, file)))
  const base = ['base']
  const all = ['base', 'n1', 'n2', 'n3', 'n4', 'n5']
  return [
    named('banking, 20', true, intents(base, 'train.txt'), evenly(intents(base, 'test.txt'), 600)),
    named('banking, 70', true, intents(all, 'train.txt'), evenly(intents(all, 'test.txt'), 800)),
    relations(folder, 'n1', true),
    pages('pages, mathematics', true, webPages(folder, 'mathematics'), 12),
    pages('pages, nature', true, webPages(folder, 'nature'), 12),
    pages('news, first half', true, news(folder, 0, 5), 8),
    named('encyclopedia', true, paragraphs(folder), []),
    clinc(folder, 'clinc, 30', 30),
    clinc(folder, 'clinc, 150', 150),
    relations(folder, 'n2', false),
    pages('pages, philosophy', false, webPages(folder, 'philosophy'), 12),
    pages('news, second half', false, news(folder, 5, 10), 8),
    abstracts(folder),
  ]
}

/** The same set, questions and seed give the same draw. */
export function drawFrom(set: LabelSet, shots: number, seed: number, max: number): Draw {
  const { shuffle } = random(`${set.name}/${shots}/${seed}`)
  const seen = new Map<string, number>()
  const drawn: Labelled[] = []
  const rest: Labelled[] = []
  for (const one of shuffle(set.train)) {
    const n = seen.get(one.label) ?? 0
    seen.set(one.label, n + 1)
    if (n < shots) drawn.push(one)
    else rest.push(one)
  }
  return { labels: set.labels, shots: drawn, tests: shuffle(set.test.length > 0 ? set.test : rest).slice(0, max) }
}

function named(name: string, chosenOn: boolean, train: readonly Labelled[], test: readonly Labelled[]): LabelSet {
  return { name, chosenOn, labels: [...new Set(train.map(({ label }) => label))].sort(), train, test }
}

function relations(folder: string, round: string, chosenOn: boolean): LabelSet {
  const of = (shot: string, file: string): Labelled[] => rows(join(folder, `classification/ifs_rel_${shot}`, round, file))
  const train = [...new Map([...of('5shot', 'train.txt'), ...of('1shot', 'train.txt')].map((one) => [one.text, one])).values()]
  return named(`relations, ${round}`, chosenOn, train, of('5shot', 'test.txt'))
}

function clinc(folder: string, name: string, size: number): LabelSet {
  const file = JSON.parse(readFileSync(join(folder, 'classification/clinc_small.json'), 'utf8')) as Record<
    'train' | 'test',
    [string, string][]
  >
  const labels = new Set(
    random('clinc')
      .shuffle([...new Set(file.train.map(([, label]) => label))].sort())
      .slice(0, size),
  )
  const of = (part: 'train' | 'test'): Labelled[] =>
    file[part].map(([text, label]) => ({ label, text })).filter(({ label }) => labels.has(label))
  return named(name, true, of('train'), evenly(of('test'), 900))
}

interface Page {
  readonly title: string
  readonly text: string
}

function webPages(folder: string, name: string): Page[] {
  const file = JSON.parse(readFileSync(join(folder, 'web', `${name}.json`), 'utf8')) as { passages: Page[] }
  return file.passages.map(({ title, text }) => ({
    title: /^# (.+)$/m.exec(text)?.[1]?.trim().slice(0, 80) ?? title,
    text: text.slice(0, 60_000),
  }))
}

function news(folder: string, from: number, to: number): Page[] {
  const files = readdirSync(join(folder, 'insertion'))
    .filter((file) => file.startsWith('news_'))
    .sort()
  return files.slice(from, to).flatMap((file) =>
    readFileSync(join(folder, 'insertion', file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const { title, context } = JSON.parse(line) as { title: string; context: string }
        return { title, text: context }
      }),
  )
}

function paragraphs(folder: string): Labelled[] {
  const file = JSON.parse(readFileSync(join(folder, 'other/xquad.json'), 'utf8')) as { passages: Page[] }
  return file.passages.map(({ title, text }) => ({ label: title, text }))
}

/** Of Cranfield: questions taken greedily, the most answered first, while each keeps seven abstracts that answer it alone; the question is the name. */
function abstracts(folder: string): LabelSet {
  const file = JSON.parse(readFileSync(join(folder, 'other/cranfield.json'), 'utf8')) as {
    passages: (Page & { id: string | number })[]
    queries: { q: string; gold: (string | number)[] }[]
  }
  const texts = new Map(file.passages.map(({ id, title, text }) => [String(id), `${title} ${text}`]))
  const own = (all: readonly { gold: (string | number)[] }[]) => {
    const times = new Map<string, number>()
    for (const { gold } of all) for (const id of gold) times.set(String(id), (times.get(String(id)) ?? 0) + 1)
    return (one: { gold: (string | number)[] }): string[] =>
      [...new Set(one.gold.map(String))].filter((id) => times.get(id) === 1 && texts.has(id))
  }
  let kept: typeof file.queries = []
  for (const one of [...file.queries].sort((a, b) => b.gold.length - a.gold.length)) {
    const more = [...kept, one]
    if (more.every((each) => own(more)(each).length >= 7)) kept = more
  }
  return named(
    'abstracts',
    false,
    kept.flatMap((one) => own(kept)(one).map((id) => ({ label: one.q, text: texts.get(id) ?? '' }))),
    [],
  )
}

function pages(name: string, chosenOn: boolean, all: readonly Page[], min: number): LabelSet {
  const { shuffle } = random(name)
  const kept = new Map<string, string[]>()
  for (const { title, text } of shuffle(all)) {
    const windows = windowsOf(text)
    if (windows.length >= min && title !== '' && kept.size < LABELS && !kept.has(title))
      kept.set(title, shuffle(windows).slice(0, PER_LABEL))
  }
  const of = (from: number, to: number): Labelled[] =>
    [...kept].flatMap(([label, texts]) => texts.slice(from, to).map((text) => ({ label, text })))
  return named(name, chosenOn, of(TESTS_PER_LABEL, PER_LABEL), of(0, TESTS_PER_LABEL))
}

/** Paragraphs of a dozen words and more, cut into windows; links keep their text. */
function windowsOf(text: string): string[] {
  const words = text
    .split(/\n\s*\n/)
    .map((one) =>
      one
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .split(/\s+/)
        .filter(Boolean),
    )
    .filter((one) => one.length >= 12)
    .flat()
  return Array.from({ length: Math.floor(words.length / WINDOW) }, (_, i) => words.slice(i * WINDOW, (i + 1) * WINDOW).join(' '))
}

function rows(path: string): Labelled[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => ({ label: line.slice(0, line.indexOf('\t')), text: line.slice(line.indexOf('\t') + 1).trim() }))
}
