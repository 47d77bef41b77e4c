/**
 * The size of chunks (the paper's Exp. 7): articles put in at once, in chunks of so many tokens. Chunks, summaries, tokens of what a writer reads and
 * writes, time of the builder, and how often a passage shown in 250 tokens of evidence holds an answer. `--data <folder>`
 */
import { present } from '../../src/core/evidence'
import { commonDefaults } from '../../src/core/settings'
import { erarag } from '../../src/core/strategies/erarag/erarag'
import { distinct, terms } from '../../src/core/text/terms'
import { embedStatic } from '../lib/encoders'
import { corpus, dataFolder, type Passage } from '../quality/corpora'
import { nearest } from './nearest'
import { itemsOf, mean, option, PAPER, type Row, report, round, settingsWith, world } from './world'

const BUDGET = 250 // tokens of evidence
const set = corpus(dataFolder(option('data')), 'xquad', true)

/** The set's paragraphs, joined to the articles they are from. */
function articles(paragraphs: readonly Passage[]): Passage[] {
  const byTitle = new Map<string, string[]>()
  for (const { title, text } of paragraphs) byTitle.set(title, [...(byTitle.get(title) ?? []), text])
  return [...byTitle].map(([title, own]) => ({ id: title, title, text: own.join('\n\n') }))
}

const documents = articles(set.passages)
const questions = await embedStatic(set.questions.map((question) => question.text))
const rows: Row[] = []
for (const [way, era, own] of [
  ['ours', {}, { rank: 'fused' }],
  ['the paper’s', PAPER, { rank: 'cosine' }],
] as const) {
  for (const tokens of [150, 300, 600, 1200, 2400]) {
    const chunking = { ...commonDefaults.chunking, chunk: tokens, overlap: Math.round(tokens / 12) }
    const one = world(settingsWith(era, true))
    const { ms } = one.add(await itemsOf(documents, chunking))
    await one.settle(embedStatic)
    const near = nearest(one)
    const held = set.questions.map((question, i) => {
      const vector = questions[i] ?? new Int8Array(0)
      const query = { text: question.text, terms: distinct(terms(question.text)), vector, near: near(vector) }
      const options = { topK: 20, budget: BUDGET, trace: false, own }
      const answer = erarag.retrieve(one.graph, query, new Map(), options, one.settings)
      const shown = answer.kind === 'evidence' ? present(one.graph, answer.found, { topK: 20, budget: BUDGET }) : []
      return Number(shown.some((item) => question.answers.some((text) => item.text.includes(text))))
    })
    rows.push({
      way,
      'tokens a chunk': tokens,
      chunks: one.graph.count('chunk'),
      summaries: one.summaries(),
      'tokens read and written': one.tokens(),
      'builder ms': round(ms, 0),
      'answer in the evidence %': round(100 * mean(held), 1),
    })
  }
}
report('erarag-chunks', `${documents.length} articles, ${set.questions.length} questions`, rows)
