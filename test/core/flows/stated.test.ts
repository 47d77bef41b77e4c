/** What a model adds to its material, or says twice, is left out of summaries and reports. */
import { describe, expect, it } from 'vitest'
import type { Brief } from '../../../src/core/strategy'
import { statedReport, statedText } from '../../../src/flows/stated'
import { performTask } from '../../../src/flows/task'
import { fakeModels, task } from './fakes'

const FERRY = 'The ferry to Lund crosses the sound at nine every morning. It carries forty bicycles and no cars.'
const LAMP = 'The lighthouse keeper, Ines Brandt, painted the lamp room white in 1931 after the storm.'
const MATERIAL = [FERRY, LAMP]

describe('a summary', () => {
  it('[V1982] keeps what the material says in other words, and loses what it does not say at all', () => {
    const said = 'Each morning at nine a ferry goes to Lund. It takes forty bicycles.'
    expect(statedText(said, MATERIAL)).toEqual({ value: said, invented: 0 })
    const padded = `The material is a group of related passages about transport. ${said} The team won the World Cup of 2012 in South Africa.`
    expect(statedText(padded, MATERIAL)).toEqual({ value: said, invented: 2 })
  })

  it('[V1982] loses a sentence with a name or a figure that stands nowhere, and keeps one whose words are only in another place', () => {
    const invented = [
      'The ferry to Lund covers about 1,200 metres each morning.',
      'Ines Brandt painted the lamp room white for The Beatles.',
    ]
    for (const one of invented)
      expect(statedText(`${one} It carries forty bicycles.`, MATERIAL)).toEqual({ value: 'It carries forty bicycles.', invented: 1 })
    const moved = 'Ines Brandt, the keeper, painted the room of the lamp in 1931, and the ferry to Lund takes forty bicycles.'
    expect(statedText(moved, MATERIAL)).toEqual({ value: moved, invented: 0 })
  })

  it('[V1983] says what the text states, not that the text states it, unless the text speaks so itself', () => {
    const framed =
      'The text states that the ferry crosses the sound at nine. This passage also mentions that Ines Brandt painted the lamp room.'
    const bare = 'The ferry crosses the sound at nine. Ines Brandt painted the lamp room.'
    expect(statedText(framed, MATERIAL)).toEqual({ value: bare, invented: 0 })
    const own = 'The document states that tenants may keep a dog.'
    expect(statedText(own, ['In 1990 the document states that tenants may keep a dog, which the town has never changed.'])).toEqual({
      value: own,
      invented: 0,
    })
  })

  it('[V1982] says nothing twice', () => {
    const twice = 'The ferry crosses the sound at nine. Ines Brandt painted the lamp room. The ferry crosses the sound at nine.'
    expect(statedText(twice, MATERIAL)).toEqual({
      value: 'The ferry crosses the sound at nine. Ines Brandt painted the lamp room.',
      invented: 1,
    })
  })

  it('[V1982] is none where nothing is left, and the material’s own words stand in its place, counted', async () => {
    expect(() => statedText('Premier is a new and exciting product for the people of the world.', MATERIAL)).toThrow('invalid')
    const brief: Brief = { kind: 'summarize', role: 'segment', subject: '', texts: MATERIAL, tokens: 60, fallback: FERRY }
    const invented = 'Players can choose to play as a team or alone in a virtual world.'
    const none = await performTask(fakeModels({ write: [invented] }), task(1, brief))
    expect(none.reply).toMatchObject({ generator: 'extractive', text: FERRY })
    const mixed = await performTask(fakeModels({ write: [`${invented} Ines Brandt painted the lamp room white.`] }), task(1, brief))
    expect(mixed).toMatchObject({
      reply: { generator: 'model', text: 'Ines Brandt painted the lamp room white.' },
      dropped: { statements: 1 },
    })
  })

  it('[V1982] in a language whose grammar is not known stays as it is', () => {
    const swedish = 'Färjan till Lund går klockan nio varje morgon. Laget vann världscupen år 2012 i Sydafrika.'
    expect(statedText(swedish, ['Färjan till Lund går klockan nio varje morgon och tar fyrtio cyklar men inga bilar.'])).toEqual({
      value: swedish,
      invented: 0,
    })
  })
})

describe('a report', () => {
  it('[V1982] loses findings that the material does not have, and those that say the same again', () => {
    const own = { summary: 'Ines Brandt painted the lamp room.', explanation: 'She painted it white in 1931.' }
    const padded = {
      ...own,
      summary: 'The keeper painted the room.',
      explanation: `This makes it a valuable resource for agriculture, industry and recreation. ${own.explanation}`,
    }
    const invented = {
      summary: 'The company released an exciting product.',
      explanation: 'Customers all over the world bought it at once.',
    }
    const report = {
      title: 'The sound',
      summary: 'The ferry to Lund crosses the sound every morning.',
      rating: 5,
      findings: [own, invented, own, padded],
    }
    expect(statedReport(report, MATERIAL)).toEqual({
      value: { ...report, findings: [own, { ...padded, explanation: own.explanation }] },
      invented: 3,
    })
    expect(() =>
      statedReport({ ...report, summary: 'The community is a group of things and their relation, or of smaller ones.' }, MATERIAL),
    ).toThrow('invalid')
  })
})
