/** English: Porter's stems, and the words that sentences are built with. */
import { stemmer } from 'stemmer'
import { IRREGULAR, VERBS } from '../lexicon/en'
import { WORDS } from '../lexicon/en-words'
import type { Grammar } from './grammar'

export const english: Grammar = {
  language: 'en',
  stem: stemmer,
  roles: {
    negation: "not no never none neither nor nobody nothing nowhere cannot hardly scarcely n't",
    lack: 'without',
    universal: 'all every each always everyone everybody everything entirely',
    partial: 'some many several few most often usually sometimes partly generally certain',
    exclusive: 'only solely exclusively merely',
    exception: 'except unless excluding apart besides',
    pronoun: 'i you he she it we they him them me us one someone anyone himself herself itself themselves there',
    possessive: 'its his her their your our my whose this these those that such latter former',
    relative: 'which who whom',
    conjunction: 'and but or while whereas although though because since when whenever if then so as where both either',
    agent: 'by',
    genitive: 'of',
    comparison: 'than',
    preposition:
      'in on at to for from before after until with into onto under over above below between among against about through during within across along around near behind beyond upon via per toward towards throughout inside off ' +
      'out down up like despite concerning regarding according due beside amid till',
    article: 'the a an any another other own same',
    object: '',
    passive: 'is are was were be been being am get gets got',
    auxiliary:
      'has have had having do does did done doing will would shall should can could may might must ought let allowed permitted possible able',
    approximate: 'about around approximately roughly nearly almost circa some',
    above: 'exceeding',
    below: '',
    filler:
      'together more less fewer however therefore moreover furthermore also instead very too just still even already yet ever again once well much further now here how why what both actually really quite rather later today currently barely due',
  },
  months:
    'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
  numbers:
    'zero:0 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13 fourteen:14 fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 ' +
    'fifty:50 sixty:60 seventy:70 eighty:80 ninety:90 dozen:12',
  scales: 'hundred:100 thousand:1e3 million:1e6 mn:1e6 m:1e6 billion:1e9 bn:1e9 trillion:1e12 k:1e3',
  parts: 'half:0.5 halves:0.5 third:0.3333 thirds:0.3333 quarter:0.25 quarters:0.25 fifth:0.2 tenth:0.1',
  times: 'twice:2 double:2 doubled:2 thrice:3 triple:3 tripled:3',
  decimalComma: false,
  denying:
    /\b(?:forbidden|forbids?|forbade|prohibit(?:s|ed)?|bann?(?:ed|s)|impossible|unable|outside)\b|\b(?:refus|fail|declin|neglect|forg[eo]t)\w*(?= to\b)/g,
  affirmed:
    /\bnot (?=(?:as|so) \w+ as\b)|\bnot only\b|\bno (?:more|fewer|less|later|earlier|longer ago) than\b|\bnot (?:more|less|later|until|least)\b|\bno doubt\b|\bnothing but\b/g,
  verbs: VERBS,
  words: WORDS,
  irregular: IRREGULAR,
  opposing: ['un', 'in', 'im', 'ir', 'dis', 'non'],
  particles: [],
}
