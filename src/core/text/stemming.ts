/**
 * How the words of each language are stemmed, and which of them mean nothing. By maintained libraries, one file a language; the German stemmer is
 * ours.
 */
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stopwords as arabicWords } from '@orama/stopwords/arabic'
import { stopwords as danishWords } from '@orama/stopwords/danish'
import { stopwords as dutchWords } from '@orama/stopwords/dutch'
import { stopwords as finnishWords } from '@orama/stopwords/finnish'
import { stopwords as frenchWords } from '@orama/stopwords/french'
import { stopwords as germanWords } from '@orama/stopwords/german'
import { stopwords as hungarianWords } from '@orama/stopwords/hungarian'
import { stopwords as italianWords } from '@orama/stopwords/italian'
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian'
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese'
import { stopwords as romanianWords } from '@orama/stopwords/romanian'
import { stopwords as russianWords } from '@orama/stopwords/russian'
import { stopwords as spanishWords } from '@orama/stopwords/spanish'
import { stopwords as swedishWords } from '@orama/stopwords/swedish'
import { stopwords as turkishWords } from '@orama/stopwords/turkish'
import type { Stemmed } from '../graph/types'
import { germanStem } from './german-stem'

interface Stemming {
  /** Takes a lower-case word with its accents. */
  readonly stem: (word: string) => string
  readonly stopWords: ReadonlySet<string>
}

/** Question words: the lists of small words lack many of these. */
const ASKING: { readonly [language in Stemmed]?: string } = {
  ar: 'من ما ماذا متى أين اين كيف كم لماذا هل أي اي بماذا',
  da: 'hvem hvad hvornår hvor hvorfor hvordan hvilken hvilket hvilke mange',
  de: 'wer wen wem wessen wann warum wieso weshalb womit wofür wie wieviel viel viele oft wo woher wohin welche welcher welches welchen welchem gibt',
  es: 'quién quiénes qué cuándo dónde cómo cuánto cuánta cuántos cuántas cuál cuáles hay',
  fi: 'kuka mikä mitä milloin missä miksi miten kuinka montako monta',
  fr: 'qui que quoi quand où comment combien pourquoi quel quelle quels quelles',
  hu: 'ki mi mit mikor hol miért hogyan hány mennyi melyik',
  it: 'chi che cosa quando dove come quanto quanta quanti quante perché quale quali',
  nl: 'wie wat wanneer waar waarom hoe hoeveel welke welk',
  no: 'hvem hva når hvor hvorfor hvordan hvilken hvilket hvilke mange',
  pt: 'quem que quando onde como quanto quanta quantos quantas porquê qual quais',
  ro: 'cine ce când unde cum cât câte câți care de',
  ru: 'кто кого кому кем что чего чему чем когда где куда откуда как сколько почему зачем какой какая какое какие каких каким какому',
  sv: 'vem vad när var varför hur vilken vilket vilka många',
  tr: 'kim ne nerede nasıl kaç niçin neden hangi mi mı mu mü',
}

const of = (language: Stemmed, stem: Stemming['stem'], words: readonly string[]): Stemming => ({
  stem,
  stopWords: new Set([...words, ...(ASKING[language] ?? '').split(' ')]),
})

/** The code is part of a chunk's id: removing a language, or stemming it differently, leaves chunks whose words the keyword index cannot forget. */
const STEMMED: { readonly [language in Stemmed]: () => Stemming } = {
  ar: () => of('ar', arabic, arabicWords),
  da: () => of('da', danish, danishWords),
  de: () => of('de', germanStem, germanWords),
  es: () => of('es', spanish, spanishWords),
  fi: () => of('fi', finnish, finnishWords),
  fr: () => of('fr', french, frenchWords),
  hu: () => of('hu', hungarian, hungarianWords),
  it: () => of('it', italian, italianWords),
  nl: () => of('nl', dutch, dutchWords),
  no: () => of('no', norwegian, norwegianWords),
  pt: () => of('pt', portuguese, portugueseWords),
  ro: () => of('ro', romanian, romanianWords),
  ru: () => of('ru', russian, russianWords),
  sv: () => of('sv', swedish, swedishWords),
  tr: () => of('tr', turkish, turkishWords),
}

export const STEMMED_LANGUAGES = Object.keys(STEMMED) as readonly Stemmed[]

const made = new Map<Stemmed, Stemming>()

/** Made when first asked for. */
export function stemmingOf(language: Stemmed): Stemming {
  const known = made.get(language) ?? STEMMED[language]()
  made.set(language, known)
  return known
}
