/** What an answer of only "Yes" or "No", or of a word or two, asserts: the question supplies the rest. */
const YES = /^(?:yes|ja|oui|sí|si|yep|是的?|はい|да|نعم)(?=[\s,.!;:]|$)[\s,.!;:]*/iu
const NO = /^(?:no|nein|non|не[тt]|不是?|いいえ|لا)(?=[,.!;:]|$)[\s,.!;:]*/iu
const SAYS = /[\p{L}\p{N}]/u

export interface Assertion {
  readonly text: string
  /** Says that the text is not true. */
  readonly isDenial: boolean
}

export function readAssertion(claim: string, question: string): Assertion {
  const yes = YES.exec(claim)
  const no = yes ? null : NO.exec(claim)
  const rest = claim.slice((yes ?? no)?.[0].length ?? 0)
  if (SAYS.test(rest) || (!yes && !no)) return { text: rest, isDenial: false }
  return { text: question, isDenial: no !== null }
}
