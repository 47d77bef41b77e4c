import { describe, expect, it } from 'vitest'
import { findMentions } from '../../../src/core/builders/mention-list'
import { mentions, remention } from '../../../src/core/builders/mentions'
import { fingerprint, nodeId } from '../../../src/core/ids'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { divide } from '../../../src/core/text/divide'
import { entities, NAME_RULES } from '../../../src/core/text/entities'
import { doc, world } from './worlds'

/** Keys of what the text's only chunk mentions. */
function said(text: string, language?: string): string[] {
  const { chunks } = divide({ title: '', text, language }, defaultSettings.chunking)
  return chunks.flatMap((chunk) => findMentions({ ...chunk, name: '' }).map(({ key }) => key)).sort()
}

const keys = (text: string): string[] => [...new Set(entities(text).map(({ key }) => key))].sort()

/** Something of each kind that the rules know. */
const NAMED_TEXTS = [
  [
    'en',
    'On 3 May 1910 Ida Brenner of St. Alban’s met J. R. Holt in Vell; “The Quiet Mill” was read. Still, Otto waited. In 1824 Byron came to Missolonghi, and 860 Receipts were kept.',
  ],
  [
    'en',
    'Run `Loam.start(Key)` at 10:30. | Name | Port |\n|---|---|\n| Ada Quill | Arbor |\n\nNote: April Stroud said “We shall leave on Friday.” NASA and the Vell-Arbor Railway agreed. See Holt (cf. Brenner), quoted in Vell.',
  ],
  [
    'de',
    'Am 4. März 2026 fuhr Jette Brand mit dem Zug nach Bad Ischl. Die Verwaltung der Stadt Wien prüfte zwölf Anträge, und der Rhein stieg.',
  ],
  ['fr', 'En avril, Élise Fontaine a quitté Saint-Malo pour l’Île de Ré ; « Le Vent » parut chez Hachette.'],
  ['ru', 'Анна Берг приехала в Москву 3 мая и читала «Тихий Дон».'],
  ['ja', '山田太郎は2026年3月4日に東京でスター・ウォーズを見た。『雪国』は川端康成の作品である。NHKが放送した。'],
  ['zh', '王伟在北京读了《红楼梦》，并访问了Google公司。'],
] as const

describe('what is no name', () => {
  it('[E1700] code, identifiers and the time of a time stamp say none; text around them does, and a chunk may begin inside a fence', () => {
    const text =
      'It is by Ida Brenner.\n\n```ts\nconst Harbour = new TideTable(Rows)\n```\n\nSet `MaxWorkers` and Config.Default at 2026-01-02T10:00:00.000Z, 08:15:04.512Z, says Ned Osk.'
    expect(said(text)).toEqual(['ida brenner', 'ned osk'])
    expect(said('return TideTable\n```\n\nIt is by Ida Brenner.\n\n```ts\nconst Rows = Harbour\n```\n')).toEqual(['ida brenner'])
    expect(keys('The `` Angi Vera and U.S. Steel`s AC/DC')).toEqual(['ac dc', 'angi vera', 'u s steel'])
  })

  it('[E1700] the head of a table, the labels of a record and of a mail are none, unless they are said elsewhere', () => {
    const table = '| Species | Observer | Oslo |\n|---|---|---|\n| heron | Ada Marlow | 9 |\n\nThey were seen from a boat in Oslo.'
    expect(said(table)).toEqual(['ada marlow', 'oslo'])
    expect(said('Weather: Fog bank\nObserver: Ada Marlow\nStation: Upper Fenwick\n')).toEqual(['ada marlow', 'fog', 'upper fenwick'])
    expect(said('From: Ines Calder\nSubject: Re: the lamp of Sorrel Bay\n')).toEqual(['ines calder', 'sorrel bay'])
    expect(said('Ines: Where is the lamp?\nMarek: It is here.\nPia: Very good.\n')).toEqual(['ines', 'marek', 'pia']) // people who talk
  })

  it('[E1701] what opens a sentence is none where it is an adverb, is written small elsewhere in the chunk, or a verb or plural shows behind it', () => {
    expect(said('Still, Lena Voss came. Hence nobody slept. Meanwhile Tom Arkady rowed. Pardon the noise.')).toEqual([
      'lena voss',
      'tom arkady',
    ])
    expect(
      said('Workers slept in tents. There were forty workers. Download the list. Critics were few. Painted in spring by Nell Farrow.'),
    ).toEqual(['nell farrow'])
    expect(said('- Still open\n- The door\n\n> Perhaps Ida Brenner knows')).toEqual(['ida brenner'])
    expect(keys('He read Still and Hence.')).toEqual(['hence', 'still'])
    expect(said('Marrin sailed on. The crew knew Marrin.')).toEqual(['marrin'])
    expect(said('Verdi composed it.')).toEqual(['verdi'])
  })

  it('[V2081] what leads to another text is none, and no part of the name it leads to; nor is a verb that a clause follows', () => {
    const citing = 'See Ida Brenner. Ibid., p. 4. Cf. Tom Arkady (See also Nell Farrow). Quoted from Lena Voss. [Cited: Otto Vell.]'
    expect(said(citing)).toEqual(['ida brenner', 'lena voss', 'nell farrow', 'otto vell', 'tom arkady'])
    expect(said('Source: Marek Holt\nNote that Pia Sorrel came. Suppose that she did. Recall how Ines Calder left.')).toEqual([
      'ines calder',
      'marek holt',
      'pia sorrel',
    ])
    // Elsewhere than at the beginning they are names like others, and in German "See" is a lake.
    expect(said('He knew the Holy See and the Blue Note well.')).toEqual(['blue note', 'holy see'])
    expect(said('Der Weg endet. See Genezareth heißt er.', 'de')).toEqual(['see genezareth'])
  })

  it('[E1702] a quotation that is a sentence is no title', () => {
    const titles = (text: string): string[] => entities(text).flatMap(({ type, key }) => (type === 'title' ? [key] : []))
    const sentences = [
      '"The lake is 97 metres deep"',
      '“Nobody swims here in winter”',
      '„Der See ist 97 Meter tief“',
      '“Come back before dark”',
    ]
    expect(sentences.flatMap(titles)).toEqual([])
    expect(['“The Drowned Bells”', '“Vol de nuit”', '"Cien años de soledad"', '“Vesper of the Gulls”'].flatMap(titles)).toEqual([
      'drowned bells',
      'vol de nuit',
      'cien años de soledad',
      'vesper of the gulls',
    ])
  })

  it('[E1703] in German a noun behind a determiner, one that is counted and one with the ending of a noun are none; the name behind it is one', () => {
    expect(
      said('Die Bäckerei Hufnagel liegt am Marktplatz von Oberweiler. Dennoch fährt der Bus dorthin. Die Ortschaft hat Zeit.', 'de'),
    ).toEqual(['bäckerei hufnagel', 'hufnagel', 'oberweiler', 'zeit'])
    expect(said('Er sah ein altes Gemälde von Ruprecht Aal, 97 Meter weiter Otto von Guericke und Frau Agathe Lindner.', 'de')).toEqual([
      'agathe lindner',
      'guericke',
      'otto von guericke',
      'ruprecht aal',
    ])
    // The same words in a text of another language, or of none that is known, are read as before.
    expect(said('Die Hard ran in Oberweiler.')).toEqual(['die hard', 'oberweiler'])
  })

  it('[E1704] a day or month is no entity, a person called like a month is', () => {
    expect(said('On 3 May 1910 and in March 2026, on a Friday, April Stroud met August.')).toEqual(['april stroud', 'august'])
    expect(said('Am 4. März 2026 kam Jette Brand, am Freitag ging sie wieder.', 'de')).toEqual(['jette brand'])
  })

  it('[E1776] what these texts say is what rules of this number find: whoever changes it counts on', () => {
    const found = NAMED_TEXTS.map(([language, text]) => said(text, language))
    expect([NAME_RULES, fingerprint(JSON.stringify(found))]).toEqual([3, 'oz8h_epTMFqnJjW08tIYLg'])
  })

  it('[E1705] names that an earlier release found in a text stay with it, go with it without a trace, and are not there when it is derived anew', () => {
    const at = world([mentions])
    const empty = at.hash()
    at.change({ add: [doc('a', 'Log', 'Hence Ida Brenner came on 3 May 1910.')] })
    const { chunk } = at.graph.document('a')?.chunks[0] ?? expect.fail()
    const anew = at.hash()
    const before = [...findMentions(at.graph.chunk(chunk) ?? expect.fail())]
    const former = ['3 may 1910', 'hence'].map((key) => ({ entity: nodeId('entity', key), key, units: [0], surfaces: [[key, 1] as const] }))
    at.graph.apply(remention(at.graph, [{ chunk, before, after: [...before, ...former].sort((a, b) => (a.entity < b.entity ? -1 : 1)) }]))
    expect(at.graph.node(nodeId('entity', 'hence'))?.text).toBe('hence')
    at.change({ remove: ['a'] })
    expect(at.hash()).toBe(empty)
    at.change({ add: [doc('a', 'Log', 'Hence Ida Brenner came on 3 May 1910.')] })
    expect([at.hash(), at.graph.node(nodeId('entity', 'hence'))]).toEqual([anew, undefined])
  })
})
