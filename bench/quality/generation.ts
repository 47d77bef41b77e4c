/**
 * What a text model makes of the evidence, through the real Worker: the papers' metrics of each strategy's answers, and each strategy against the first before
 * a judge, both orders. Needs an OpenAI-compatible server; without one there is nothing to measure.
 *   LOCAL_MODEL_URL=… LOCAL_TEXT_MODEL=… node scripts/run-ts.mjs bench/quality/generation.ts --data <folder> [--set dev_hotpot] [--of keyword,auto] [--questions 50]
 */
import { parseArgs } from 'node:util'
import type { Search } from '../../src/client/client'
import { asStrategies, consolidate, ingest, start } from '../system/loam'
import { corpus, dataFolder } from './corpora'
import { scored } from './metrics/generated'
import { headToHead, type Judge, type Verdict, wins } from './metrics/judge'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string', default: 'dev_hotpot' },
    of: { type: 'string', default: 'keyword,auto' },
    questions: { type: 'string', default: '50' },
  },
})
const { LOCAL_MODEL_URL: server, LOCAL_TEXT_MODEL: model, LOCAL_MODEL_KEY: key } = process.env
if (!server || !model) throw new Error('set LOCAL_MODEL_URL and LOCAL_TEXT_MODEL: answers are written and judged by a text model')

const judge: Judge = async (content) => {
  const reply = await fetch(`${server.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ model, temperature: 0, messages: [{ role: 'user', content }] }),
    signal: AbortSignal.timeout(120_000),
  })
  const body = (await reply.json()) as { choices?: { message?: { content?: string } }[] }
  return body.choices?.[0]?.message?.content ?? '' // no vote where the server failed
}

const set = corpus(dataFolder(values.data), values.set, true)
const asked = values.of.split(',')
const questions = set.questions.slice(0, Number(values.questions))
const loam = await start('real')
try {
  const written = loam.client.corpus('generation')
  await written.create({ strategies: asStrategies(asked.filter((one) => /^(erarag|cluerag|ketrag|archrag)$/.test(one))) })
  for (let at = 0; at < set.passages.length; at += 500) await ingest(written, set.passages.slice(at, at + 500))
  await consolidate(written)
  const answers = new Map<string, string[]>()
  for (const strategy of asked) {
    const said: string[] = []
    for (const { text } of questions) {
      const { answer } = await written.query({ query: text, strategy: strategy as Search['strategy'] })
      said.push(answer)
    }
    answers.set(strategy, said)
    console.log(strategy, JSON.stringify(scored(said, questions)))
  }
  const [first = '', ...others] = asked
  for (const other of others) {
    const verdicts: Verdict[] = []
    for (const [i, { text }] of questions.entries()) {
      verdicts.push(await headToHead(text, answers.get(other)?.[i] ?? '', answers.get(first)?.[i] ?? '', judge))
    }
    console.log(`${other} against ${first}, share of wins:`, JSON.stringify(wins(verdicts)))
  }
} finally {
  await loam.stop()
}
