/**
 * Words that open sentences and are not names, whatever their capital: the closed classes of a language (determiners, pronouns, prepositions,
 * conjunctions, auxiliaries, adverbs about a whole sentence, greetings), in lower case.
 */

/** Words about which a capital at the start of a sentence says nothing. */
export const OPENERS: ReadonlySet<string> = new Set(
  (
    'the a an this that these those it its he she they we you i his her their our your my who what when where which why how whose whom is are was were be been being do does did has have had can could will would ' +
    'should may might must shall not no yes if then else so but and or nor for of in on at to from by with without within into onto upon over under after before during since until while as about above ' +
    'against along among around because behind below beneath beside between beyond both despite down each either every few many more most much neither other others off once one only out own per same several ' +
    'some such than though through throughout together too toward towards two up very via whether yet all although also another any however moreover furthermore therefore thus there here now today ' +
    'later early recently originally currently formerly eventually finally first second third last next following according based born known named including like unlike ' +
    'founded released established published located situated opened built recorded written directed produced set held formed created introduced'
  ).split(' '),
)

/** The same for words that open a sentence; capitalised elsewhere they are names ("he read Still"). */
export const ADVERBS: ReadonlySet<string> = new Set(
  (
    'still hence nevertheless nonetheless meanwhile perhaps maybe surely certainly clearly obviously evidently apparently presumably supposedly allegedly probably possibly indeed instead otherwise besides ' +
    'thereafter afterwards afterward beforehand hereafter henceforth thereby thereupon whereupon whereas wherever whenever whoever whatever whichever usually generally normally typically commonly frequently ' +
    'often sometimes occasionally rarely seldom never always again soon suddenly gradually immediately subsequently previously finally ultimately initially eventually consequently accordingly similarly likewise ' +
    'conversely alternatively additionally specifically particularly especially notably importantly interestingly surprisingly curiously strangely oddly unfortunately fortunately luckily happily sadly regrettably ' +
    'hopefully thankfully actually basically essentially literally simply merely exactly precisely approximately roughly nearly almost hardly barely scarcely quite rather somewhat somehow somewhere ' +
    'anywhere everywhere nowhere somebody someone something anybody anyone anything everybody everyone everything nobody none nothing neither half twice enough yesterday tomorrow tonight well alas please thanks thank ' +
    'pardon sorry hello hi hey dear cheers yours ahead away above opposite regarding concerning considering given except unless lest whether overall altogether honestly frankly personally officially legally ' +
    'technically historically traditionally let'
  ).split(' '),
)

/** English words that lead to another text: they open a sentence or what is in brackets, and are no part of the name that follows ("See Smith"). */
export const REFERENCES: ReadonlySet<string> = new Set(
  'see cf compare note ibid ibidem idem quoted cited retrieved accessed translated reprinted adapted excerpted viz'.split(' '),
)

/** From mails, and from notes beside a text: what stands before a colon at the beginning of a line. */
export const LABELS: ReadonlySet<string> = new Set(
  'from to cc bcc subject re fw fwd aw wg date sent received von an betreff datum gesendet objet envoyé asunto enviado note notes nb ps source sources total'.split(
    ' ',
  ),
)
