/** Spanish: Snowball's stems, and the words that sentences are built with. */
import { stemmer } from '@orama/stemmers/spanish'
import { IRREGULAR, VERBS, WORDS } from '../lexicon/es'
import type { Grammar } from './grammar'

export const spanish: Grammar = {
  language: 'es',
  // "estudió" and "estudiar"
  stem: (word) => stemmer(word).replace(/(?<=.{3})i$/, ''),
  roles: {
    negation: 'no nunca jamás ningún ninguno ninguna ningunos nada nadie tampoco ni',
    lack: 'sin',
    universal: 'todo toda todos todas cada siempre',
    partial: 'algún alguno alguna algunos algunas varios varias muchos muchas mayoría veces parte ciertos ciertas',
    exclusive: 'solo sólo solamente únicamente exclusivamente',
    exception: 'salvo excepto',
    pronoun: 'yo tú él ella ello nosotros ellos ellas usted ustedes lo me te se le les nos quien quienes alguien eso esto aquello sí',
    possessive: 'su sus este esta estos estas ese esa esos esas aquel aquella dicho dicha nuestro nuestra mi mis cuyo cuya',
    relative: 'que cual cuales',
    conjunction: 'y e pero o u sino mientras aunque porque pues cuando si como donde',
    agent: 'por',
    genitive: 'de del',
    comparison: '',
    preposition:
      'antes después a al en con para contra entre hacia hasta desde durante según sobre bajo tras ante mediante dentro cerca lejos alrededor',
    article: 'el la los las un una unos unas otro otra otros otras mismo misma',
    object: '',
    passive: 'es son era eran fue fueron ser sido será serán sea siendo está están estaba estaban',
    auxiliary:
      'ha han había habían haber hubo haya he has hemos va van iba ir permitido permitida permitidos permitidas autorizado posible puede pueden podía',
    approximate: 'aproximadamente alrededor casi cerca unos unas',
    above: '',
    below: '',
    filler:
      'junto juntos hay habrá además también luego entonces así ya mínimo máximo muy más menos tan tanto ya aún todavía aquí allí ahora bien hoy poco mucho incluso además tal vez apenas debido',
  },
  months:
    'enero/ene febrero/feb marzo/mar abril/abr mayo junio/jun julio/jul agosto/ago septiembre/sep/sept/setiembre octubre/oct noviembre/nov diciembre/dic',
  numbers:
    'cero:0 dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 once:11 doce:12 trece:13 catorce:14 quince:15 dieciséis:16 diecisiete:17 dieciocho:18 diecinueve:19 veinte:20 veintiuno:21 veintidós:22 ' +
    'veintitrés:23 veinticuatro:24 veinticinco:25 veintiséis:26 veintisiete:27 veintiocho:28 veintinueve:29 treinta:30 cuarenta:40 cincuenta:50 sesenta:60 setenta:70 ochenta:80 noventa:90 docena:12',
  scales: 'cien:100 ciento:100 cientos:100 mil:1e3 millón:1e6 millones:1e6 billón:1e12 billones:1e12',
  parts: 'mitad:0.5 medio:0.5 media:0.5 tercio:0.3333 cuarto:0.25 quinto:0.2 décimo:0.1',
  times: 'doble:2 duplicó:2 triple:3 triplicó:3',
  decimalComma: true,
  denying: /(?<!\p{L})(?:prohibid[oa]s?|prohíben?|prohibió|imposible|fuera)(?!\p{L})|\b(?:neg|rehus|dej|renunci)\p{L}*(?= (?:a|de) )/gu,
  affirmed: /\bno (?=(?:\p{L}+ )?tan \p{L}+ como\b)|\bno s[oó]lo\b|\bno solamente\b|\bno (?:más|menos) de\b|\bno obstante\b|\bno hasta\b/gu,
  verbs: VERBS,
  words: WORDS,
  irregular: IRREGULAR,
  opposing: ['in', 'im', 'ir', 'des'],
  particles: [],
}
