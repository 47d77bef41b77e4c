/**
 * The forms of questions about a whole, for folded text, by language; the first that fits counts. `a` is what a question is about, `b` the other side of a comparison.
 */

export interface Form {
  readonly kind: 'summary' | 'comparison' | 'common'
  /**
   * `anything`: whoever asks for a summary gets one of whatever is named; `text`: a text by its name or kind, or everything; `kind`: a kind of text
   * must be named.
   */
  readonly needs: 'anything' | 'text' | 'kind'
  readonly pattern: RegExp
}

interface Parts {
  readonly kind: Form['kind']
  readonly needs: Form['needs']
  readonly whole: readonly string[]
}

const EN = {
  adjectives:
    '(?:(?:very )?(?:short|brief|quick|general|concise|good|high-level|one-page|executive|rough|complete|overall)(?:,? (?:and )?))*',
  main: '(?:(?:main|key|central|major|most important|principal|overall|dominant|recurring|common|general|overarching|essential|important|biggest)(?:,? and |, | ))+',
  nouns:
    '(?:topics?|themes?|points?|subjects?|ideas?|messages?|issues?|findings?|conclusions?|takeaways?|arguments?|results|events|developments|contents?)(?: and (?:topics?|themes?|points?|subjects?|ideas?|messages?|issues?|findings?|conclusions?|takeaways?|arguments?|results|events|developments))?',
  of: '(?:(?:which are |that are |that were )?(?:discussed |covered |raised |addressed |treated |mentioned |described |reported )?(?:of|in|across|from|throughout|by|within|behind|for))',
} as const

const english: readonly Parts[] = [
  {
    kind: 'summary',
    needs: 'anything',
    whole: ['(?:briefly )?(?:summari[sz]e|sum up|recap)(?: (?<a>.+))?', 'tl;?dr(?: (?:of|for))?(?: (?<a>.+))?'],
  },
  {
    kind: 'summary',
    needs: 'anything',
    whole: [
      `(?:(?:give|write|make|provide|show|get|draft|prepare|create|produce)(?: me| us)? )?(?:(?:a|an|the) )?${EN.adjectives}(?:summary|overview|synopsis|abstract|digest|recap|gist|rundown)(?: (?:of|over|on|about|for|from) (?<a>.+))?`,
    ],
  },
  {
    kind: 'summary',
    needs: 'text',
    whole: [
      `(?:what|which)(?: are| is| were| was|'s) (?:the )?${EN.main}${EN.nouns}(?: ${EN.of} (?<a>.+))?`,
      `(?:list|name|tell me|tell us|describe|show|show me|give me|identify) (?:the )?${EN.main}${EN.nouns}(?: ${EN.of} (?<a>.+))?`,
      `(?:what|which)(?: are| is| were| was|'s) (?:the )?(?:gist|essence|big picture|bottom line)(?: of (?<a>.+))?`,
      `(?:what|which) (?:${EN.main})?(?:topics?|themes?|subjects?|issues?) (?:are|were|is|was) (?:covered|discussed|addressed|raised|treated|mentioned)(?: ${EN.of} (?<a>.+))?`,
      `(?:what|which) (?:${EN.main})?(?:topics?|themes?|subjects?|issues?) (?:do|does|did) (?<a>.+?) (?:cover|discuss|address|deal with|treat|raise|talk about|have)`,
      `what (?:topics?|themes?|subjects?) (?:are|is) there(?: in (?<a>.+))?`,
      `what(?: is|'s| are| was| were) (?<a>.+?) (?:all |mainly |mostly |generally |basically |really |overall )*about`,
    ],
  },
  {
    kind: 'summary',
    needs: 'kind',
    whole: ['what (?:do|does|did) (?<a>.+?) (?:say|tell us|tell me|contain|cover|deal with|discuss|report|describe)'],
  },
  {
    kind: 'common',
    needs: 'kind',
    whole: [
      'what (?:do|does|did) (?<a>.+?) (?:all )?(?:have in common|share)',
      'what (?:is|are) (?:the )?(?:common|shared) (?:to|in|among|between|across) (?<a>.+)',
      '(?:(?:what|which) (?:are|is) )?(?:the )?(?:main )?(?:similarities|commonalities|parallels|common (?:themes?|threads?|points|topics?|ground)|shared (?:themes?|topics?)) (?:between|of|among|across|in) (?<a>.+)',
    ],
  },
  {
    kind: 'comparison',
    needs: 'text',
    whole: [
      '(?:compare|contrast|compare and contrast) (?<a>.+)',
      `(?:what (?:is|are|'s) )?(?:the )?(?:main |key |major |biggest |most important )?differences? (?:between|of|among) (?<a>.+)`,
      'how (?:do|does|did) (?<a>.+?) (?:differ|compare)(?: (?:from|to|with) (?<b>.+))?',
      'how (?:is|are|was|were) (?<a>.+?) different from (?<b>.+)',
      '(?:make |write |give me )?(?:a )?comparison (?:of|between) (?<a>.+)',
    ],
  },
]

const DE = {
  main: '(?:(?:wichtigsten|zentralen|wesentlichen|hauptsachlichen|grossten|grossen|gemeinsamen|wiederkehrenden|bestimmenden) (?:themen|punkte|aussagen|ergebnisse|inhalte|thesen|erkenntnisse|ereignisse)|hauptthemen|hauptthema|kernaussagen?|hauptpunkte|kernpunkte|schwerpunkte)',
  adjectives: '(?:(?:kurze?n?|knappe?n?|allgemeine?n?|grobe?n?) )*',
  of: '(?:(?:in|im|aus|von|vom|bei|uber|zu|zum|zur|fur) (?=.)|(?=(?:der|des|dieser|dieses|aller|beider|meiner|unserer)\\b))',
} as const

const german: readonly Parts[] = [
  {
    kind: 'summary',
    needs: 'anything',
    whole: [
      '(?:fasse?n?(?: sie)?(?: mir| uns)?(?: bitte)?(?: kurz)? )(?<a>.+?) (?:kurz )?zusammen',
      '(?<a>.+?) (?:kurz )?zusammenfassen',
      `(?:(?:gib|geben sie|schreib|schreibe|schreiben sie|erstelle|erstellen sie|mach|mache|gebt)(?: mir| uns)?(?: bitte)? )?(?:(?:eine?n?|die|den) )?${DE.adjectives}(?:zusammenfassung|uberblick|ubersicht|inhaltsangabe)(?: ${DE.of}(?<a>.+))?`,
    ],
  },
  {
    kind: 'summary',
    needs: 'text',
    whole: [
      `(?:was|welche[sr]?|wie lauten)(?: sind| ist| waren| war)? (?:die |das |der )?${DE.main}(?: ${DE.of}(?<a>.+))?`,
      `(?:nenne?|nennen sie|liste|zeig(?:e|en sie)?)(?: mir| uns)?(?: bitte)? (?:die |das )?${DE.main}(?: ${DE.of}(?<a>.+))?`,
      '(?:worum|um was) (?:geht|ging) es(?: (?:hier|insgesamt|eigentlich))*(?: (?:in|im|bei|beim) (?<a>.+))?',
      '(?:wovon|von was) (?:handel(?:t|n)|handelte[n]?) (?<a>.+)',
      'welche themen (?:behandel(?:t|n)|haben|hat) (?<a>.+)',
      'welche themen (?:werden|kommen) (?:in|im) (?<a>.+?) (?:behandelt|besprochen|vor|angesprochen|diskutiert)',
    ],
  },
  { kind: 'summary', needs: 'kind', whole: ['was (?:steht|stand) (?:in|im) (?<a>.+)', 'was sag(?:t|en) (?<a>.+?)'] },
  {
    kind: 'common',
    needs: 'kind',
    whole: [
      'was (?:haben|hat) (?<a>.+?) gemeinsam',
      '(?:was sind die |welche |die )?gemeinsamkeiten (?:haben |gibt es |bestehen |zeigen )?(?:zwischen |von |in |der )?(?<a>.+)',
    ],
  },
  {
    kind: 'comparison',
    needs: 'text',
    whole: [
      'vergleichen? (?:sie )?(?:bitte )?(?<a>.+?)(?: miteinander)?',
      'vergleich (?:bitte )?(?<a>.+?)(?: miteinander)?',
      '(?:(?:was|worin|welche) (?:ist|sind|besteht|bestehen|gibt es) )?(?:der |die )?unterschiede? (?:gibt es |bestehen )?zwischen (?<a>.+)',
      '(?:wie|worin) unterscheide(?:t|n) sich (?<a>.+?)(?: von (?<b>.+))?',
    ],
  },
]

const FR = {
  main: '(?:(?:principaux|principales|grands|grandes|essentiels|essentielles|importants) )?(?:themes|sujets|points|idees|conclusions|resultats|messages|enjeux|questions)(?: (?:principaux|principales|essentiels|essentielles|cles?|centraux|centrales|communs|importants|abordes|traites|evoques))*',
  adjectives: '(?:(?:bref|breve|court|courte|petit|petite|rapide) )*',
  of: "(?:(?:dans|de|par|sur|du|des|entre) |d'|(?=l'))",
} as const

const french: readonly Parts[] = [
  {
    kind: 'summary',
    needs: 'anything',
    whole: [
      "(?:resume[zr]?)(?:[- ](?:moi|nous))? (?<a>(?:le|la|les|ce|cet|cette|ces|tout|toute|tous|toutes|mes|nos|vos|ton|ta|tes|son|ses|un|une|ce qui) .+|l'.+|tout|ce qu.+)",
      `(?:(?:fais|faites|faire|donne|donnez|donner|ecris|ecrivez|redige|redigez)(?:[- ](?:moi|nous))? )?(?:un|une|le|la)? ?${FR.adjectives}(?:synthese|apercu|vue d'ensemble)(?: ${FR.of}(?<a>.+))?`,
      `(?:(?:fais|faites|faire|donne|donnez|donner|ecris|ecrivez|redige|redigez)(?:[- ](?:moi|nous))? )(?:un|une|le|la) ${FR.adjectives}resume(?: ${FR.of}(?<a>.+))?`,
      `(?:un |le )?${FR.adjectives}resume ${FR.of}(?<a>.+)`,
    ],
  },
  {
    kind: 'summary',
    needs: 'text',
    whole: [
      `(?:quels?|quelles?)(?: sont| est) (?:les|le|la) (?=.*(?:princip|grand|essentiel|important|cles?\\b|centr|abord|trait|evoqu))${FR.main}(?: ${FR.of}(?<a>.+))?`,
      'de quoi (?:parle(?:nt)?|traite(?:nt)?|est-il question)(?:-t-(?:il|elle|on))?(?: dans)? (?<a>.+)',
      'quels (?:themes|sujets) (?<a>.+?) (?:abordent|aborde|traitent|traite)(?:-(?:t-)?(?:ils?|elles?))?',
    ],
  },
  { kind: 'summary', needs: 'kind', whole: ['que (?:dit|disent|contient|contiennent) (?<a>.+)', "qu'y a-t-il dans (?<a>.+)"] },
  {
    kind: 'common',
    needs: 'kind',
    whole: [
      "qu'ont (?<a>.+?) en commun",
      "qu'est-ce que (?<a>.+?) ont en commun",
      '(?:quels sont |quelles sont )?(?:les )?(?:points communs|similitudes|ressemblances) (?:entre |de |des |dans )(?<a>.+)',
    ],
  },
  {
    kind: 'comparison',
    needs: 'text',
    whole: [
      'compare[zr]? (?<a>.+)',
      '(?:quelles? (?:est|sont) )?(?:les? |la )?(?:principales )?differences? (?:y a-t-il )?entre (?<a>.+)',
      'en quoi (?<a>.+?) (?:differe(?:nt)?|est-(?:il|elle) different(?:e)?)(?:-(?:t-)?(?:ils?|elles?))?(?: (?:de|du) (?<b>.+))?',
    ],
  },
]

const ES = {
  main: '(?:(?:principales|grandes) )?(?:temas|puntos|ideas|asuntos|mensajes|conclusiones|resultados|cuestiones)(?: (?:principales|centrales|claves?|comunes|importantes|mas importantes|tratados|abordados))*',
  adjectives: '(?:(?:breve|corto|corta|pequeno|rapido) )*',
  of: '(?:(?:de|del|en|sobre|entre) )',
} as const

const spanish: readonly Parts[] = [
  {
    kind: 'summary',
    needs: 'anything',
    whole: [
      '(?:resum(?:e|a|ir|eme|ame|an|en|elo))(?:me|nos)? (?<a>(?:el|la|los|las|este|esta|estos|estas|todo|toda|todos|todas|mi|mis|lo que|un|una)\\b.*)',
      `(?:(?:haz|hazme|haga|dame|deme|da|escribe|hacer|dar|escribir)(?: me)? )?(?:un |una |el |la )?${ES.adjectives}(?:resumen|sintesis|vision general|panorama)(?: ${ES.of}(?<a>.+))?`,
    ],
  },
  {
    kind: 'summary',
    needs: 'text',
    whole: [
      `(?:cuales|que|cual) (?:son|es) (?:los|las|el|la) (?=.*(?:princip|grande|centr|clave|important|tratad|abordad))${ES.main}(?: ${ES.of}(?<a>.+))?`,
      'de que (?:tratan?|hablan?|van?) (?<a>.+)',
      'que temas (?:tratan?|abordan?|cubren?) (?<a>.+)',
    ],
  },
  { kind: 'summary', needs: 'kind', whole: ['que (?:dicen?|contienen?) (?<a>.+)'] },
  {
    kind: 'common',
    needs: 'kind',
    whole: [
      'que tienen? en comun (?<a>.+)',
      'que (?<a>.+?) tienen en comun',
      '(?:cuales son |que )?(?:los |las )?(?:puntos en comun|similitudes|semejanzas) (?:entre |de |hay entre |tienen )(?<a>.+)',
    ],
  },
  {
    kind: 'comparison',
    needs: 'text',
    whole: [
      '(?:compara|comparar|compare|comparen) (?<a>.+)',
      '(?:(?:cuales|cual|que) (?:son|es|hay) )?(?:las? |la )?(?:principales )?diferencias? (?:hay )?entre (?<a>.+)',
      'en que se diferencian? (?<a>.+?)(?: (?:de|del) (?<b>.+))?',
    ],
  },
]

export const forms: readonly Form[] = [...english, ...german, ...french, ...spanish].flatMap(({ kind, needs, whole }) =>
  whole.map((one) => ({ kind, needs, pattern: new RegExp(`^(?:${one})$`) })),
)
