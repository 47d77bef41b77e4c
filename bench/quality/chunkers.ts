/**
 * Where passages and chunks end: by length, by topic as the words tell it, and by topic as vectors do. Recall by document at five, how often the text of the first five passages holds an answer, what is
 * made of the same documents, and processor time of cutting them.
 *   npm run bench quality/chunkers -- --data <folder> [--sets a,b] [--of hybrid,auto]
 * `xquad` is joined to the articles its paragraphs are from. Every method is compared with `length`, paired over questions.
 */
import { parseArgs } from 'node:util'
import type { Settings } from '../../src/core/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { strategies } from '../../src/core/strategies/registry'
import { divide } from '../../src/core/text/divide'
import type { Comparison } from '../../src/core/text/topic-shifts'
import { theStaticEncoder } from '../lib/encoders'
import { byVectors } from '../variants/topic-vectors'
import { type Corpus, corpus, dataFolder, type Passage } from './corpora'
import { indexed } from './memory'
import { accuracy } from './metrics/answers'
import { interval, mean, pairedBootstrap, recall } from './metrics/ranking'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: 'web_mathematics,web_nature,web_philosophy,lihua,xquad' },
    of: { type: 'string', default: 'hybrid,auto' },
  },
})

const AT = 5
const { chunking } = defaultSettings
const topic = { ...chunking, method: 'topic' } as const
const methods: readonly Method[] = [
  { name: 'length', chunking },
  { name: 'topic', chunking: topic },
  { name: 'topic, by vectors', chunking: topic, compare: byVectors((text) => theStaticEncoder().encode(text)) },
  { name: 'topic, larger', chunking: { ...topic, passage: 185 } }, // passages that come out as large as by length
]

interface Method {
  readonly name: string
  readonly chunking: Settings['chunking']
  readonly compare?: Comparison
}

/** Articles from their paragraphs; other sets as they are. */
function whole(set: Corpus): Corpus {
  if (set.name !== 'xquad') return set
  const titles = new Map(set.passages.map(({ id, title }) => [id, title]))
  const articles = new Map<string, string[]>()
  for (const { title, text } of set.passages) articles.set(title, [...(articles.get(title) ?? []), text])
  const passages: Passage[] = [...articles].map(([title, own]) => ({ id: title, title, text: own.join('\n\n') }))
  return { ...set, passages, questions: set.questions.map((one) => ({ ...one, gold: one.gold.flatMap((id) => titles.get(id) ?? []) })) }
}

function cost({ passages }: Corpus, { chunking, compare }: Method) {
  const before = process.cpuUsage()
  const divided = passages.map((one) => divide(one, chunking, compare))
  const { user } = process.cpuUsage(before)
  const chunks = divided.flatMap((one) => one.chunks)
  return { ms: user / 1000, chunks: chunks.length, passages: chunks.reduce((sum, one) => sum + one.passages.length, 0) }
}

const asked = values.of.split(',').flatMap((name) => strategies.get(name) ?? [])
const builders = [...new Map(asked.flatMap((one) => one.builders).map((one) => [one.name, one])).values()]
for (const name of values.sets.split(',')) {
  const set = whole(corpus(dataFolder(values.data), name, true))
  const characters = set.passages.reduce((sum, one) => sum + one.text.length, 0)
  const before = new Map<string, { readonly recall: readonly number[]; readonly answers: readonly number[] }>()
  for (const method of methods) {
    const settings = { ...defaultSettings, chunking: method.chunking }
    const index = await indexed(set, 'static', builders, settings, undefined, undefined, method.compare)
    cost(set, method)
    const { ms, chunks, passages } = cost(set, method)
    console.log(
      `${name.padEnd(16)} ${method.name.padEnd(18)} ${chunks} chunks, ${passages} passages, ${((1e6 * ms) / characters).toFixed(1)} ms for a million characters`,
    )
    for (const strategy of asked) {
      const found: number[] = []
      const answers: number[] = []
      for (const { text, gold, answers: wanted } of set.questions) {
        const { documents, evidence } = await index.ask(strategy, text, { topK: 20 })
        found.push(100 * recall(documents, gold, AT))
        const spans = wanted.filter((answer) => !/^(yes|no)$/i.test(answer))
        const shown = evidence.slice(0, AT).map((one) => one.text)
        if (spans.length > 0) answers.push(100 * accuracy(shown.join('\n'), spans))
      }
      if (method.name === 'length') before.set(strategy.name, { recall: found, answers })
      const base = before.get(strategy.name) ?? { recall: found, answers }
      const against = (now: readonly number[], then: readonly number[]): string =>
        `${mean(now).toFixed(1)} ${interval(pairedBootstrap([{ a: now, b: then }]))}`
      const held = name === 'xquad' ? `  answers in ${AT} ${against(answers, base.answers)}` : '' // the others' answers are no words of a text
      console.log(`  ${strategy.name.padEnd(8)} recall@${AT} ${against(found, base.recall)}${held}`)
    }
  }
}
