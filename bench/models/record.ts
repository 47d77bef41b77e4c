/**
 * Records what real models reply to texts of our own, under today's prompts, for tests (test/core/flows/recorded): replies in every role, in several languages, with and
 * without a grammar, to texts that invite a refusal; and answers as streams, with the milliseconds between their pieces.
 *   npm run bench -- models/record --models smollm2-135m,… --out replies.json
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PROMPTS } from '../../src/core/prompt-version'
import type { Brief } from '../../src/core/strategy'
import { answerPrompt } from '../../src/flows/answer-prompt'
import { taskPrompt } from '../../src/flows/prompts'
import type { Message } from '../../src/ports/models'
import { recordedTexts as texts } from '../../test/core/flows/recorded/texts'
import { TOGETHER } from './sampling'
import { speak } from './serving'

const { values } = parseArgs({ options: { models: { type: 'string' }, out: { type: 'string' }, only: { type: 'string', default: '' } } })
const names = (values.models ?? 'smollm2-135m,gemma3-270m,qwen2.5-coder-1.5b').split(',')
const out = values.out ?? 'replies.json'

interface Asking {
  readonly name: string
  readonly grammar: boolean
  readonly messages: readonly Message[]
  readonly tokens: number
  readonly schema?: unknown
}

const segment = (name: keyof typeof texts): Brief => ({
  kind: 'summarize',
  role: 'segment',
  subject: '',
  texts: [texts[name]],
  tokens: 100,
  fallback: '',
})
const sentencesOf = (text: string): string[] => text.split(/(?<=[.。!])\s*/).filter(Boolean)
const entity = (name: keyof typeof texts, subject: string): Brief => ({
  kind: 'summarize',
  role: 'entity',
  subject,
  texts: sentencesOf(texts[name]),
  tokens: 60,
  fallback: '',
})
const report = (name: keyof typeof texts): Brief => ({
  kind: 'report',
  texts: sentencesOf(texts[name]).map((one) => `${name} | ${one}`),
  tokens: 300,
  fallback: { title: '', summary: '', rating: 0, findings: [] },
})
const extract = (name: keyof typeof texts, units: boolean): Brief => ({
  kind: 'extract',
  name,
  text: texts[name],
  want: { units, graph: true },
})

function asked(name: string, brief: Brief, isSmall: boolean, grammar = true): Asking {
  const { messages, tokens, schema } = taskPrompt(brief as Parameters<typeof taskPrompt>[0], '', isSmall ? 'short' : 'full')
  return { name, grammar, messages, tokens, ...(grammar && schema !== undefined ? { schema } : {}) }
}

function askings(isSmall: boolean): Asking[] {
  const of = (name: string, brief: Brief, grammar = true) => asked(name, brief, isSmall, grammar)
  const languages = ['harbour', 'bahn', 'pont', 'warsztat', 'kodo'] as const
  const touchy = ['alarm', 'powder', 'forbidden', 'assistant'] as const
  return [
    ...languages.map((name) => of(`summary ${name}`, segment(name))),
    ...touchy.map((name) => of(`summary ${name}`, segment(name))),
    of('description harbour', entity('harbour', 'Ines Wolff')),
    of('description bahn', entity('bahn', 'Zahnradbahn')),
    of('description pont', entity('pont', 'Pont des Tisserands')),
    of('report harbour', report('harbour')),
    of('report bahn', report('bahn')),
    of('extract harbour', extract('harbour', false)),
    of('extract bahn', extract('bahn', false)),
    of('units bakery', extract('bakery', true)),
    of('units powder', extract('powder', true)),
    of('extract harbour words', extract('harbour', false), false),
    of('units bakery words', extract('bakery', true), false),
  ]
}

const QUESTIONS = [
  ['Who leads the harbour office of Lindau?', 'harbour'],
  ['What does a ticket for the ferry cost?', 'harbour'],
  ['Wie lang ist die Zahnradbahn?', 'bahn'],
  ['What is the code of the alarm?', 'alarm'],
  ['When does the office open?', 'forbidden'],
] as const

const running = await speak(names, TOGETHER, console.log)
const found: object[] = []
try {
  for (const model of names) {
    const isSmall = !model.startsWith('qwen')
    for (const one of askings(isSmall).filter(({ name }) => name.includes(values.only))) {
      const { text, ended } = await running.whole(model, one)
      found.push({ model, prompts: PROMPTS, name: one.name, grammar: one.grammar, ended, text })
      console.log(`\n[${model}] ${one.name} ${ended}\n${text.slice(0, 400)}`)
      writeFileSync(out, `${JSON.stringify(found, null, 2)}\n`)
    }
    for (const [question, name] of QUESTIONS.filter(([question]) => `answer ${question}`.includes(values.only))) {
      const messages = answerPrompt({ question, history: [], form: '', grounded: true }, [`[1] ${name}\n${texts[name]}`], 8192)
      const pieces = await running.streamed(model, { messages, tokens: 150 })
      found.push({ model, prompts: PROMPTS, name: `answer ${question}`, pieces })
      console.log(
        `\n[${model}] ${question}\n${pieces
          .map(([, piece]) => piece)
          .join('')
          .slice(-600)}`,
      )
      writeFileSync(out, `${JSON.stringify(found, null, 2)}\n`)
    }
  }
} finally {
  await running.stop()
}
