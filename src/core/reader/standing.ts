/**
 * Who stands to whom: kin, and who came before or after whom. A question for either is not answered where nothing says such a relation. Closed classes of
 * words, in English only.
 */
const KIN =
  'husbands?|wi(?:fe|ves)|widow(?:er)?s?|spouses?|brothers?|sisters?|siblings?|sons?|daughters?|child|mothers?|fathers?|parents?|uncles?|aunts?|nephews?|nieces?|cousins?|grand(?:mother|father|son|daughter|parent|child)s?|step(?:mother|father|son|daughter)s?'
/** "Ada's husband", "his mother", "a sister of the keeper"; not "what do children pay". */
const ASKS_KIN = new RegExp(
  `^(?:who|what|when|where|which|in|how)(?!\\p{L})[^?"“]*(?:(?<=\\p{L}['’]s?|(?<!\\p{L})(?:his|her|their)) (?:\\p{L}+ )?(?:${KIN})(?!\\p{L})|(?<!\\p{L})(?:${KIN}) (?:of|to)(?!\\p{L}))`,
  'iu',
)
const SAYS_KIN = new RegExp(
  `(?<!\\p{L})(?:${KIN}|children|twins?|family|marr(?:y|ied|ies|iage)|wed(?:ding)?|divorced?|engaged|born|née|heirs?|offspring|elder|younger|in-law)(?!\\p{L})`,
  'iu',
)

const SUCCESSION =
  /^who(?!\p{L})[^?]*(?<!\p{L})(?:(?:took|takes|take|taken) the place of|succeeded(?! in(?!\p{L}))|replaced|preceded|predecessor|successor)(?!\p{L})/iu
/** "Who led it before Ada Quill?" */
const BESIDE =
  /^[Ww]ho (?:led|ran|headed|chaired|directed|owned|managed|kept|ruled|held|governed|coached|presided|was|were)(?!\p{L})[^?]* (?:before|after) (?:the )?(?!\d)\p{Lu}/u
/** "Her predecessor, Tom Frost": who did before whatever she does. */
const SUCCEEDS =
  /(?<!\p{L})(?:predecessors?|successors?|succeed(?:s|ed|ing)?|replac(?:e|es|ed|ing)|preced(?:e|es|ed|ing)|t(?:ake|akes|ook|aken) over|handed (?:\p{L}+ ){0,3}over|took (?:the|his|her|their) place|stepped (?:in|down)|in place of)(?!\p{L})/iu
/** What may put two in order. */
const ORDERS =
  /(?<!\p{L})(?:before|after(?:wards)?|follow(?:s|ed|ing)?|former(?:ly)?|previous(?:ly)?|earlier|later|then|until|till|since|next|new|last|first|second|third|again|retired?|resigned|left|died|death|became|becomes|elected|appointed|inherited|sold|bought|originally|once|now|from|(?:four|fif|six|seven|eigh|nin|ten)th)(?!\p{L})/iu

export function lacksKin(question: string, texts: readonly string[]): boolean {
  return ASKS_KIN.test(question) && !texts.some((text) => SAYS_KIN.test(text))
}

/** Who came before or after somebody? */
export function asksSuccession(question: string): boolean {
  return SUCCESSION.test(question) || BESIDE.test(question)
}

export function saysSuccession(text: string): boolean {
  return SUCCEEDS.test(text)
}

export function lacksSuccession(question: string, texts: readonly string[]): boolean {
  const isOrdered = (text: string): boolean => SUCCEEDS.test(text) || ORDERS.test(text) || (BESIDE.test(question) && /\d{4}/u.test(text))
  return asksSuccession(question) && !texts.some(isOrdered)
}
