/** The help at a narrow terminal, and of what there is not. */
import { expect, it } from 'vitest'
import { commands } from '../../../cli/commands'
import { formatHelp } from '../../../cli/help'
import { otherNames } from '../../../cli/other-names'
import { CONDITIONS } from '../../../src/contract/alerts'
import { loam } from './loam'

const NARROW = 60 // columns
const tooWide = (text: string): string[] => text.split('\n').filter((line) => line.length > NARROW)
const words = (text: string): string => text.replace(/\s+/g, ' ')

it('[N1890] at a terminal of 60 columns no line of the help is cut, except examples, and none of its words is lost', () => {
  const all = [undefined, ...new Set(commands.values())]
  const withoutExamples = (text: string): string => text.split('\n\nExamples\n')[0] ?? ''
  expect(all.flatMap((one) => tooWide(withoutExamples(formatHelp(one, NARROW))))).toEqual([])
  expect(all.filter((one) => words(formatHelp(one, NARROW)) !== words(formatHelp(one)))).toEqual([])
})

it('[N1890] piped help has a line for each command, however long; help about what is not a command names the nearest', async () => {
  const { out } = await loam(['--help'])
  expect(out.match(/^ {2}loam .*$/gm)).toHaveLength(new Set(commands.values()).size)
  const { code, said } = await loam(['help', 'alrts'])
  expect([code, said]).toEqual([2, 'loam: there is no command "alrts"; did you mean loam alerts?\n'])
})

it('[N1910] a command tried by the name it has elsewhere is told what it is called here', async () => {
  const told = await Promise.all(['query', 'rm', 'Upload', 'version'].map(async (name) => (await loam([name])).said))
  expect(told.map((line) => line.trim().split('; ')[1])).toEqual([
    'here it is loam ask',
    'here it is loam forget',
    'here it is loam ingest',
    'here it is loam --version',
  ])
  const isThere = (here: string) => here.startsWith('loam --') || commands.has(here.slice('loam '.length))
  expect(otherNames.filter(([name, here]) => commands.has(name) || !isThere(here))).toEqual([])
  expect(new Set(otherNames.map(([name]) => name)).size).toBe(otherNames.length)
})

it('[N1892] the help of alerts names the conditions that can be set', async () => {
  expect((await loam(['alerts', '--help'])).out).toContain(`Conditions: ${CONDITIONS.join(', ')}.`)
})
