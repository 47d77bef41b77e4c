/** SPEC.md and the tests say the same: every rule has a test, every test's rule exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const specification = readFileSync(join(root, 'SPEC.md'), 'utf8')
const MAX_RULE = 700 // characters: a few sentences
const ID = /\[([A-Z]\d+[a-z]?)\]/g

function idsIn(text: string): string[] {
  return [...text.matchAll(ID)].map((match) => match[1] ?? '')
}

it('[L90] every rule of SPEC.md has an id of its own', () => {
  const ids = [...specification.matchAll(/^- \[([A-Z]\d+[a-z]?)\]/gm)].map((match) => match[1])
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

it('[L90] no two rules of SPEC.md say the same, and none is longer than a reader follows', () => {
  const texts = [...specification.matchAll(/^- \[[A-Z]\d+[a-z]?\] (.*)$/gm)].map((match) => match[1] ?? '')
  const words = texts.map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' '))
  expect(words.filter((text, at) => words.indexOf(text) !== at)).toEqual([])
  expect(texts.filter((text) => text.length > MAX_RULE)).toEqual([])
})

it('[L90] every rule of SPEC.md is quoted by a test, and every quoted rule is in SPEC.md', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|mjs)$/.test(name))
  const quoted = new Set(files.flatMap((name) => idsIn(readFileSync(join(root, 'test', name), 'utf8'))))
  const rules = new Set(idsIn(specification))
  expect({ untested: [...rules].filter((id) => !quoted.has(id)), unwritten: [...quoted].filter((id) => !rules.has(id)) }).toEqual({
    untested: [],
    unwritten: [],
  })
})
