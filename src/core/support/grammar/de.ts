/** German: the words that sentences are built with. */
import { germanStem } from '../../text/german-stem'
import { IRREGULAR, VERBS, WORDS } from '../lexicon/de'
import type { Grammar } from './grammar'

export const german: Grammar = {
  language: 'de',
  stem: germanStem,
  roles: {
    negation: 'nicht kein keine keiner keinen keinem keines nie niemals niemand niemanden nichts weder kaum nirgends keinerlei keineswegs',
    lack: 'ohne',
    universal: 'alle aller allen alles jeder jede jedes jeden jedem immer sämtliche stets',
    partial:
      'einige einiger einigen manche mancher manchen viele vieler vielen mehrere meisten meist oft manchmal teilweise wenige bestimmte gewisse',
    exclusive: 'nur lediglich ausschließlich bloß allein',
    exception: 'außer ausgenommen sofern',
    pronoun:
      'ich du er sie es wir ihr ihn ihm ihnen mich mir uns sich man wer wen jemand darin davon dafür daran damit dabei dazu dort einander',
    possessive:
      'sein seine seiner seinen seinem seines ihre ihrer ihren ihrem ihres dessen deren dieser diese dieses diesen diesem unser unsere jener jene',
    relative: 'welcher welche welches welchen wobei wodurch wofür woran',
    conjunction: 'und oder sondern obwohl weil denn wenn falls nachdem bevor ehe bis dass damit sowie wo wie sodass deshalb daher sowohl',
    agent: 'von vom durch',
    genitive: 'des eines',
    comparison: 'als',
    preposition:
      'in im ins an am ans auf aus bei beim mit nach zu zum zur über unter vor hinter neben zwischen gegen für um seit wegen trotz entlang gegenüber innerhalb binnen per pro zufolge laut gemäß anlässlich ' +
      'während',
    article: 'der die das dem ein eine einem einer andere anderer anderen anderes',
    object: 'den einen',
    passive: 'wird werden wurde wurden worden geworden',
    auxiliary:
      'ist sind war waren sei seien wäre bin gewesen sein hat haben hatte hatten habe hätte habt soll sollen sollte sollten will wollen wollte würde würden könnte könnten muss müssen musste mussten müsste  erlaubt gestattet möglich zulässig dürfen darf durfte durften' +
      'kann können konnte konnten lässt lassen',
    approximate: 'etwa rund ungefähr circa ca knapp fast beinahe zirka',
    above: 'mehr',
    below: 'weniger',
    filler:
      'zusammen aber jedoch doch dann danach zudem außerdem auch sehr zu noch schon bereits erst wieder hier da so sogar eben ja mal etwas selbst dabei heute jetzt nun ganz zwar insgesamt',
  },
  months:
    'januar/jan/jänner februar/feb märz/mär april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez',
  numbers:
    'null:0 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwölf:12 dreizehn:13 vierzehn:14 fünfzehn:15 sechzehn:16 siebzehn:17 achtzehn:18 neunzehn:19 zwanzig:20 dreißig:30 vierzig:40 ' +
    'fünfzig:50 sechzig:60 siebzig:70 achtzig:80 neunzig:90 dutzend:12',
  scales:
    'hundert:100 tausend:1e3 tsd:1e3 million:1e6 millionen:1e6 mio:1e6 milliarde:1e9 milliarden:1e9 mrd:1e9 billion:1e12 billionen:1e12',
  parts: 'hälfte:0.5 halb:0.5 halbe:0.5 halbes:0.5 halben:0.5 drittel:0.3333 viertel:0.25 fünftel:0.2 zehntel:0.1',
  times: 'zweimal:2 doppelt:2 doppelte:2 verdoppelt:2 dreimal:3 dreifach:3 viermal:4 fünfmal:5 sechsmal:6 siebenmal:7',
  decimalComma: true,
  denying:
    /(?<!\p{L})(?:verboten|verbietet|verbot|untersagt|unmöglich|unzulässig|außerhalb)(?!\p{L})|\bweiger\w*(?= sich\b)|\bversäum\w*/gu,
  affirmed:
    /\bnicht (?=so \p{L}+ wie\b)|\bnicht nur\b|\bnicht (?:mehr|weniger|später|früher) als\b|\bnicht zuletzt\b|\bkein(?:e|en)? zweifel\b/gu,
  verbs: VERBS,
  words: WORDS,
  irregular: IRREGULAR,
  opposing: ['un', 'in', 'ir', 'il', 'miss'],
  particles: 'ab an auf aus bei ein fest frei her hin los mit nach statt teil um unter vor weg wieder zu zurück zusammen bereit'.split(' '),
}
