/** Documents about a place that does not exist, so that searches find only what was added here. Each has a fact that one question asks for. */

export interface Asked {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly question: string
  /** Occurs in the text and answers the question. */
  readonly fact: string
}

export const documents: readonly Asked[] = [
  {
    id: 'observatory',
    title: 'The observatory of Brennhall',
    text: 'The observatory of Brennhall stands on the Skarn ridge above the village. It was founded in 1874 by Ottilie Krause, a clockmaker who had sold her workshop to pay for the dome. Ottilie Krause ground the first mirror herself. For eleven years she recorded the brightness of variable stars every clear night. The Brennhall dome turns on cannonballs that were cast for a war that never came.',
    question: 'Who founded the observatory of Brennhall?',
    fact: 'founded in 1874 by Ottilie Krause',
  },
  {
    id: 'ferry',
    title: 'The ferry across Lake Murn',
    text: 'A ferry crosses Lake Murn between Brennhall and Tarvik. The ferry is called Lantern and was built of larch in 1931. Its captain, Joakim Vell, carries the post twice a day. In winter the lake freezes and the post goes by sledge. The Lantern has never missed a crossing because of fog, for a bell on the Tarvik pier is rung until she answers.',
    question: 'What is the ferry across Lake Murn called?',
    fact: 'The ferry is called Lantern',
  },
  {
    id: 'cheese',
    title: 'The cheese of Tarvik',
    text: 'Tarvik is known for a hard cheese that ripens in the old silver mine. The wheels are washed with cider every ninth day. Ingrid Solheim keeps the mine at nine degrees. A wheel of Tarvik cheese weighs fourteen kilograms and is sold after twenty months. The mice of the mine are left alone, because they eat only what has cracked.',
    question: 'Where does the cheese of Tarvik ripen?',
    fact: 'ripens in the old silver mine',
  },
  {
    id: 'bridge',
    title: 'The bridge at Skarn',
    text: 'The stone bridge at Skarn has three arches. It was rebuilt after the flood of 1902 by Joakim Vell the elder, grandfather of the captain of the ferry. The toll was abolished in 1950. Under the middle arch a plate marks how high the water stood. Ottilie Krause paid for the plate.',
    question: 'After which flood was the stone bridge at Skarn rebuilt?',
    fact: 'rebuilt after the flood of 1902',
  },
  {
    id: 'heron',
    title: 'The grey heron of the mill pond',
    text: 'A grey heron has lived at the mill pond of Brennhall since the mill closed. The heron fishes at dawn and sleeps on the sluice. Children call it Quillon. When the pond was drained in 2011, Quillon walked to Lake Murn and came back with the first rain. The miller’s daughter, Runa Aske, feeds it in hard winters.',
    question: 'What do children call the grey heron of the mill pond?',
    fact: 'Children call it Quillon',
  },
]

/** The document that is forgotten, and a word that only it contains. */
export const forgotten = { id: 'heron', word: 'Quillon', question: 'What do children call the grey heron of the mill pond?' } as const

/** More names than one call of the index may delete: each is a separate entity. */
const NAMES = 120
const SYLLABLES = ['Bra', 'Dor', 'Fen', 'Gul', 'Hes', 'Jor', 'Kav', 'Lun', 'Mir', 'Nor', 'Pel', 'Rud']
const ENDINGS = ['adal', 'ebek', 'ifors', 'omark', 'unes', 'avik', 'eholt', 'isund', 'oby', 'uland']

export function manyNames(): readonly { readonly id: string; readonly text: string }[] {
  const names = Array.from({ length: NAMES }, (_, at) => `${SYLLABLES[at % SYLLABLES.length]}${ENDINGS[Math.floor(at / SYLLABLES.length)]}`)
  return Array.from({ length: NAMES / 10 }, (_, at) => {
    const ten = names.slice(at * 10, at * 10 + 10)
    return { id: `journey-${at}`, text: `The survey of year ${at + 1} went from ${ten.join(' to ')} and home again.` }
  })
}
