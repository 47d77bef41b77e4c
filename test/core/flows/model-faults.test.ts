/** What small models did in place of a reply (recorded/faults-4.json, under today's prompts, on texts of our own), and what becomes of it. docs/degradation.md lists it. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answerPrompt } from '../../../src/flows/answer-prompt'
import { query, queryStream } from '../../../src/flows/ask'
import { materialOf, taskPrompt } from '../../../src/flows/prompts'
import { parseExtraction, parseSummary } from '../../../src/flows/replies'
import { all, clock, config, evidence, fakeCorpus, fakeIndex, fakeModels, type Script } from './fakes'
import { outcome } from './recorded/outcome'
import { recordedTexts as texts } from './recorded/texts'

type Name = keyof typeof texts
interface Recorded {
  readonly model: string
  readonly name: string
  readonly ended?: string
  readonly text: string
}
const read = <T>(file: string): readonly T[] => JSON.parse(readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8'))
const faults = read<Recorded>('faults-4.json')
const said = (model: string, name: string): Recorded => {
  const found = faults.find((one) => one.model.startsWith(model) && one.name === name)
  if (!found) throw new Error(`no reply of ${model} to ${name}`)
  return found
}

function summarized(model: string, kind: 'summary' | 'description', name: Name): unknown {
  const { text, ended } = said(model, `${kind} ${name}`)
  const texts_ = kind === 'summary' ? [texts[name]] : texts[name].split(/(?<=\.)\s+/)
  const brief = {
    kind: 'summarize',
    role: kind === 'summary' ? 'segment' : 'entity',
    subject: kind === 'summary' ? '' : { harbour: 'Ines Wolff', pont: 'Pont des Tisserands' }[name as 'harbour'],
    texts: texts_,
    tokens: 100,
    fallback: '',
  } as const
  const instructions = taskPrompt(brief, '', 'short')
    .messages.slice(0, -1)
    .map(({ content }) => content)
    .join('\n')
  return outcome(() => parseSummary(text, 100, { instructions, material: materialOf(brief), isCut: ended === 'length', isRetold: true }))
}

const extracted = (name: string, of: Name, units: boolean): unknown =>
  outcome(() => parseExtraction(said('smollm2', name).text, { kind: 'extract', name: of, text: texts[of], want: { units, graph: true } }))

const streams = read<{ readonly name: string; readonly pieces: readonly (readonly [number, string])[] }>('streams-4.json')
/** The deltas of a stream as it came. */
const deltasOf = (question: string): string[] =>
  (streams.find(({ name }) => name === `answer ${question}`)?.pieces ?? [])
    .flatMap(([, events]) => events.split('\n'))
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? ''] : []))
    .filter((delta) => delta !== '')
const older = read<Recorded>('replies.json')

describe('what small models did in place of a reply', () => {
  it('[V351] the prompt again, the same words again and again, half of it, an empty list, prose: each is told for what it is', () => {
    expect(['alarm', 'forbidden', 'pont', 'warsztat', 'kodo'].map((name) => summarized('smollm2', 'summary', name as Name))).toEqual([
      'echo',
      'echo',
      'loop',
      'loop',
      'loop',
    ])
    expect(['harbour', 'pont'].map((name) => summarized('smollm2', 'description', name as Name))).toEqual(['echo', 'loop'])
    expect(['bahn', 'alarm', 'kodo'].map((name) => summarized('gemma3', 'summary', name as Name))).toEqual(['echo', 'unsupported', 'empty'])
    expect(extracted('units bakery', 'bakery', true)).toBe('empty')
    expect(extracted('units bakery words', 'bakery', true)).toBe('form')
  })

  it('[V351] what is good of a reply is kept: before a mark of the fence, before a half sentence, and a refusal that the text itself quotes', () => {
    expect(summarized('smollm2', 'summary', 'powder')).toMatch(/beyond the weir\.$/)
    expect(summarized('gemma3', 'description', 'harbour')).toMatch(/until noon\.$/)
    expect(summarized('smollm2', 'summary', 'bahn')).toMatch(/eröffnet\.$/)
    expect(summarized('smollm2', 'summary', 'assistant')).toContain('as an AI I cannot give medical advice')
  })

  it('[V1803] what the examples of the prompt say of their names is said of no other', () => {
    const { entities } = extracted('extract bahn', 'bahn', false) as ReturnType<typeof parseExtraction>
    expect(entities.map(({ name, description }) => `${name}: ${description}`)).toEqual([
      'Bahn: ',
      'Sternberg: home of Bahn',
      'Ingenieur Konrad Ammann: ',
      'Gipfel: ',
    ])
    const brief = { kind: 'extract', name: '', text: 'Ines Wolff is an engineer.', want: { units: false, graph: true } } as const
    const entity = { name: 'Ines Wolff', type: 'person', description: 'an engineer' }
    expect(parseExtraction(JSON.stringify({ entities: [entity], relations: [] }), brief).entities).toEqual([entity])
  })
})

function asking(script: Script, name: Name = 'bahn') {
  const text = texts[name]
  return {
    corpus: fakeCorpus({ documents: { [name]: text }, evidence: [evidence('p_1', name, text)] }),
    models: fakeModels(script),
    index: fakeIndex(),
    config,
    now: clock(),
    later: () => undefined,
  }
}

async function streamed(script: Script, question: string, name: Name = 'bahn') {
  const deps = asking(script, name)
  let heard = 0
  const stream: typeof deps.models.stream = async (messages, options) => {
    const reply = await deps.models.stream(messages, options)
    const deltas = async function* () {
      for await (const delta of reply.deltas) {
        heard++
        yield delta
      }
    }
    return { ...reply, deltas: deltas() }
  }
  const events = await all(queryStream({ ...deps, models: { ...deps.models, stream } }, { query: question }))
  const text = events.map((one) => (one.event === 'delta' ? one.data.text : '')).join('')
  const done = events.at(-1)
  if (done?.event !== 'done') throw new Error('no end')
  expect(done.data.answer).toBe(text)
  return { ...done.data, heard }
}

describe('an answer', () => {
  const LENGTH = 'Wie lang ist die Zahnradbahn?'

  it('[V1801] that says the question again is none, whole or streamed: nothing of it is shown, and an extract answers', async () => {
    const pieces = deltasOf(LENGTH)
    expect(pieces.join('')).toMatch(/^Wie lang ist die Zahnradbahn\.\n\nAnswer:/)
    const extract = { generator: 'extractive', degraded: ['text_model'], answer: expect.stringContaining('3,2 Kilometer') }
    expect(await streamed({ stream: pieces }, LENGTH)).toMatchObject(extract)
    expect(await query(asking({ write: [pieces.join('')] }), { query: LENGTH })).toMatchObject({ result: extract })
  })

  it('[V1801] that says its instructions again is none, and is not listened to', async () => {
    const question = 'Who leads the harbour office of Lindau?'
    const rules = answerPrompt({ question, history: [], form: '', grounded: true }, [`[1] ${texts.harbour}`], 8192)[0]?.content ?? ''
    const echo = older.find((one) => one.model.startsWith('gemma3') && one.name === `answer ${question}`)?.text ?? ''
    expect(echo.split('\n')[0]).toBe(rules.split('\n')[0])
    const extract = { generator: 'extractive', degraded: ['text_model'], answer: expect.stringContaining('Ines Wolff') }
    expect(await query(asking({ write: [echo] }, 'harbour'), { query: question })).toMatchObject({ result: extract })
    const pieces = `${rules}\nText. ${'and so on '.repeat(50)}`.match(/.{1,20}/gs) ?? []
    const result = await streamed({ stream: pieces }, question, 'harbour')
    expect(result).toMatchObject(extract)
    expect(result.heard).toBeLessThan(pieces.length)
  })

  it('[V1801] that goes round in circles is cut behind the first time, and a stream of it ends', async () => {
    const circle = `Sie ist 3,2 Kilometer lang [1].${' Sie braucht 25 Minuten bis zum Gipfel [1].'.repeat(40)}`
    const whole = await query(asking({ write: [circle] }), { query: LENGTH })
    const cut = 'Sie ist 3,2 Kilometer lang [1]. Sie braucht 25 Minuten bis zum Gipfel [1].'
    expect(whole).toMatchObject({ result: { answer: cut, generator: 'model', degraded: ['truncated'] } })
    const result = await streamed({ stream: circle.match(/.{1,10}/gs) ?? [] }, LENGTH)
    expect(result).toMatchObject({ generator: 'model', degraded: ['truncated'] })
    expect(result.answer.length).toBeLessThan(circle.length / 2)
  })

  it('[V1802] that says in its own words that it cannot, or that the sources do not say, is a refusal; behind a source’s number it is what that says', async () => {
    const refused = async (said: string, name: Name = 'harbour') => {
      const outcome = await query(asking({ write: [said] }, name), { query: 'What does a ticket cost?' })
      return 'result' in outcome && outcome.result.insufficient
    }
    for (const said of [
      'I cannot answer that from the sources.',
      "I'm sorry, but I can't help with that.",
      'The provided sources do not mention the price of a ticket.',
      "The text doesn't say.",
      'Insufficient information.',
    ])
      expect([said, await refused(said)]).toEqual([said, true])
    for (const said of ['The documents do not mention him by name [1].', 'Visitors may read the tables [1].', 'It costs 200 euros.'])
      expect([said, await refused(said)]).toEqual([said, false])
  })
})
