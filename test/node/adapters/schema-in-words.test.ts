/** The form of a reply, told to models that have no JSON mode. */
import { expect, it } from 'vitest'
import { formInWords } from '../../../src/adapters/schema-in-words'
import { prompts } from '../../../src/core/estimate/rates'
import { countTokens } from '../../../src/core/text/tokens'
import { PAIRS_SCHEMA } from '../../../src/flows/compare-statements'
import { pointSchema } from '../../../src/flows/points'
import { taskPrompt } from '../../../src/flows/prompts'

const MODEL_COUNTS = 1.22 // tokens of Qwen2.5 per token we count, of a prompt with its conversation's form (docs/models.md)

const extraction = () => taskPrompt({ kind: 'extract', name: '', text: '', want: { units: false, graph: true } }, '', 'full')

it('[M2351] is a type of TypeScript, which has less than a third of the tokens of the schema', () => {
  const { schema } = extraction()
  const words = formInWords(schema)
  expect(words).toContain(
    '{entities: {name: string, type: string, description: string}[], relations: {source: string, target: string, description: string, strength: number}[]}',
  )
  const frame = countTokens(formInWords({ type: 'string' }))
  expect(countTokens(words) - frame).toBeLessThan(countTokens(JSON.stringify(schema)) / 3)
})

it('[M2351] choices, options, nothing, and lists with their ends are said; and so are the schemas of ours', () => {
  const choice = { type: 'string', enum: ['north', 'south|east'] }
  const nested = { type: 'array', items: choice, maxItems: 3 }
  const schema = {
    type: 'object',
    properties: {
      at: choice,
      'of a': { type: 'integer' },
      all: nested,
      maybe: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      one: { const: 1 },
    },
    required: ['at', 'all'],
  }
  expect(formInWords(schema)).toContain(
    '{at: "north" | "south|east", "of a"?: number, all: ("north" | "south|east")[] /* at most 3 */, maybe?: boolean | null, one?: 1}',
  )
  const report = taskPrompt(
    { kind: 'report', texts: [], tokens: 300, fallback: { title: '', summary: '', rating: 0, findings: [] } },
    '',
    'full',
  )
  for (const own of [PAIRS_SCHEMA, pointSchema, report.schema]) expect(formInWords(own)).toContain('TypeScript')
})

it('[M2351] a schema that says more than such a type is shown as it is', () => {
  for (const more of [
    { $ref: '#/$defs/a' },
    { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    { type: 'array' },
    7,
    null,
  ]) {
    const schema = { type: 'object', properties: { a: more }, required: ['a'] }
    expect(formInWords(schema)).toContain(JSON.stringify(schema))
  }
})

it('[M2351] an extraction asked for in words reads what an estimate says of it, within 15 %', () => {
  const { messages, schema } = extraction()
  const asked = [...messages.map(({ content }) => content), formInWords(schema)]
  const read = asked.reduce((sum, content) => sum + countTokens(content), 0) * MODEL_COUNTS
  expect(Math.abs(prompts.graph.likely / read - 1)).toBeLessThan(0.15)
})
