/** French: Snowball's stems, and the words that sentences are built with. */
import { stemmer } from '@orama/stemmers/french'
import { IRREGULAR, VERBS, WORDS } from '../lexicon/fr'
import type { Grammar } from './grammar'

export const french: Grammar = {
  language: 'fr',
  stem: stemmer,
  roles: {
    negation: 'ne n pas jamais aucun aucune rien ni guère nul nulle non',
    lack: 'sans',
    universal: 'tous toutes tout toute chaque toujours',
    partial: 'certains certaines quelques plusieurs beaucoup plupart parfois souvent généralement',
    exclusive: 'seulement uniquement exclusivement seul seule seuls seules',
    exception: 'sauf excepté hormis sinon',
    pronoun: 'je tu il elle on nous vous ils elles lui eux leur y se s me m te t moi celui celle ceux celles cela ça ce c',
    possessive: 'son sa ses leurs cet cette ces notre nos votre vos mon ma mes dont',
    relative: 'qui que qu lequel laquelle lesquels lesquelles',
    conjunction: 'et mais ou donc or car tandis quand lorsque lorsqu puisque puisqu si comme afin quoique où soit',
    agent: 'par',
    genitive: 'de d du des',
    comparison: '',
    preposition:
      'après avant à au aux en dans sur sous avec pour contre entre vers chez depuis pendant durant dès jusque jusqu selon malgré parmi outre auprès lors devant derrière près loin autour',
    article: 'le la les l un une autre autres même mêmes',
    object: '',
    passive: 'est sont était étaient fut furent été être sera seront soit étant',
    auxiliary:
      'a ont avait avaient eut eurent avoir aura auront ait ayant es ai as avons avez va vont fait font faire faut autorisé autorisée autorisés autorisées permis permise possible peut peuvent pouvait',
    approximate: 'environ près presque quelque autour quasiment',
    above: '',
    below: '',
    filler:
      'ensemble cependant toutefois néanmoins ensuite aussi ainsi minimum maximum très trop encore déjà même plus moins bien ici là peu aujourd hui désormais notamment plutôt assez également soit',
  },
  months: 'janvier/janv février/févr mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov décembre/déc',
  numbers:
    'zéro:0 deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8 neuf:9 dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 dix-sept:17 dix-huit:18 dix-neuf:19 vingt:20 trente:30 quarante:40 cinquante:50 ' +
    'soixante:60 soixante-dix:70 quatre-vingts:80 quatre-vingt:80 quatre-vingt-dix:90 septante:70 nonante:90 douzaine:12 quinzaine:15 vingtaine:20 centaine:100',
  scales: 'cent:100 cents:100 mille:1e3 million:1e6 millions:1e6 milliard:1e9 milliards:1e9 md:1e9 mds:1e9 billion:1e12 billions:1e12',
  parts: 'moitié:0.5 demi:0.5 demie:0.5 tiers:0.3333 quart:0.25 quarts:0.25 cinquième:0.2 dixième:0.1',
  times: 'double:2 doublé:2 triple:3 triplé:3',
  decimalComma: true,
  denying: /(?<!\p{L})(?:interdit(?:e|s|es)?|défendue?s?|impossible|hors)(?!\p{L})|\b(?:refus|omi|renonc)\p{L}*(?= (?:d['’]|de |à ))/gu,
  affirmed:
    /\bpas (?=aussi \p{L}+ qu)|\bnon seulement\b|\b(?:ne |n['’])(?:(?!\bpas\b|\bjamais\b|\bplus\b|\baucun|[,.;]).){1,40}?\bqu(?=e\b|['’])|\b(?:ne|n['’]).{0,40}? pas (?:plus|moins) d(?:e\b|['’])|\bpas seulement\b|\bpas (?:plus|moins) d(?:e\b|['’])/gu,
  verbs: VERBS,
  words: WORDS,
  irregular: IRREGULAR,
  opposing: ['in', 'im', 'ir', 'il', 'dé', 'dés', 'non'],
  particles: [],
}
