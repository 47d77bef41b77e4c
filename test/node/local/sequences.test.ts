/** Which sequence of a context a prompt is read by, with a library that keeps what its sequences have read as node-llama-cpp does. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { llamaRuntime } from '../../../local/models/llama'
import { nearest } from '../../../local/models/sequences'

/** A token is a letter. `reads`: for each reply, how much of its prompt was read anew. */
const LIBRARY = `
export const reads = []
const tokensOf = (text) => [...text].map((one) => one.charCodeAt(0))
const model = { trainContextSize: 4096, embeddingVectorSize: 2, tokenizer: {}, tokenize: tokensOf,
  createContext: async () => ({ getSequence: () => ({ contextTokens: [] }) }) }
export const getLlama = async () => ({ loadModel: async () => model, dispose: async () => {} })
const textOf = (history) => 'form: ' + history.map((one) => one.text ?? one.response.join('')).join('|')
export class LlamaChat {
  chatWrapper = { generateContextState: ({ chatHistory }) => ({ contextText: { tokenize: () => tokensOf(textOf(chatHistory)) } }) }
  constructor({ contextSequence }) { this.sequence = contextSequence }
  async generateResponse(history, { onTextChunk }) {
    const prompt = tokensOf(textOf(history))
    const known = this.sequence.contextTokens
    const end = prompt.findIndex((token, i) => token !== known[i])
    reads.push(prompt.length - (end < 0 ? prompt.length : end))
    await new Promise(setImmediate)
    onTextChunk('said')
    this.sequence.contextTokens = [...prompt, ...tokensOf('said')]
    return { response: 'said', metadata: { stopReason: 'eogToken' } }
  }
}
`

it('[M2350] a prompt goes to the free sequence that has read its beginning, so that extractions and questions in turn read their rules once each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-sequences-test-'))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.js'), LIBRARY)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const { reads } = (await import(join(folder, 'dist/index.js'))) as { reads: number[] }
  const runtime = await llamaRuntime(folder, 1)
  const writer = await runtime.writer({ id: 'w', kind: 'text', path: 'w.gguf' })
  const ask = (rules: string, text: string) =>
    writer.write({
      messages: [
        { role: 'system', content: rules },
        { role: 'user', content: text },
      ],
      tokens: 8,
      temperature: 0,
      signal: new AbortController().signal,
      heard: () => {},
    })
  const [extract, answer] = ['Draw from the text what it names. '.repeat(20), 'Reply from the sources alone. '.repeat(20)]
  for (const turn of [1, 2, 3]) {
    await ask(extract, `text ${turn}`)
    await ask(answer, `question ${turn}`)
  }
  expect(reads.slice(0, 2).every((read) => read > 500)).toBe(true)
  expect(reads.slice(2).every((read) => read < 20)).toBe(true)
  reads.length = 0
  await Promise.all([ask(extract, 'text 4'), ask(extract, 'text 5')]) // the other sequence is all there is for the second
  expect(reads.map((read) => read < 20)).toEqual([true, false])
  await runtime.close()
})

it('[M2350] what any two prompts share does not bind a prompt to a sequence: the one unused for longest is taken', () => {
  const long = Array.from({ length: 200 }, (_, i) => i)
  const other = [...long.slice(0, 10), ...long.slice(10).map((token) => token + 1000)]
  expect(nearest([[], long], other)).toBe(0)
  expect(nearest([other, long], long)).toBe(1)
  expect(nearest([long.slice(0, 50), long.slice(0, 100)], long)).toBe(1)
  expect(nearest([long, long], long)).toBe(0)
})
