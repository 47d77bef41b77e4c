/** What health says about the replies of text models: which could be used, and what of them was left out. */
import type { CorpusHealth } from '../../../src/client/client'
import { count, plural } from '../shared/numbers'

export interface Finding {
  readonly name: string
  readonly said: string
  /** Null: not known. */
  readonly good: boolean | null
}

/** What in replies did not fit the corpus's kinds of names and relations. */
export function ontologyFindings({ ontology }: CorpusHealth): Finding[] {
  if (!ontology || ontology.read === 0) return []
  const { mode, read, types, relations } = ontology
  const [names, pairs] = mode === 'strict' ? [types.dropped, relations.dropped] : [types.outside, relations.outside]
  const fate = mode === 'strict' ? 'left out' : 'kept, and marked as outside the ontology'
  const said = `In ${plural(read, 'passage')}, ${plural(names, 'name')} and ${plural(pairs, 'relation')} of kinds that the ontology does not have were ${fate}.`
  return [{ name: 'Kinds', good: true, said }]
}

/** For each role: which form of its prompt it is given, if replies have decided that, and how many replies were usable, or cut. */
export function replyFindings({ replies }: CorpusHealth): Finding[] {
  return Object.entries(replies).map(([role, { form, is_useless: useless, left_out: leftOut = {}, ...forms }]) => {
    const said = (['full', 'short'] as const).flatMap((name) => {
      const tally = forms[name]
      if (!tally) return []
      const cut = tally.cut ? `, and ${count(tally.cut)} ${tally.cut === 1 ? 'was' : 'were'} cut off` : ''
      return [`Of ${plural(tally.asked, 'reply', 'replies')} to the ${name} prompt, ${count(tally.used)} could be used${cut}.`]
    })
    const given = form === 'short' ? ['Loam now sends this model the short prompt.'] : []
    const once = useless ? ['This model is of almost no use here.'] : []
    const excess = leftOutWords(leftOut)
    const none = said.length === 0 ? ['This model has not replied yet.'] : []
    return {
      name: `Replies (${role})`,
      good: form !== 'short' && !useless,
      said: [...none, ...said, ...excess, ...given, ...once].join(' '),
    }
  })
}

const KINDS = { entities: 'name', relations: 'relation', units: 'statement', statements: 'statement' } as const

function leftOutWords(leftOut: Readonly<Record<string, number>>): string[] {
  const words = Object.entries(KINDS).flatMap(([kind, word]) => (leftOut[kind] ? plural(leftOut[kind], word) : []))
  return words.length > 0 ? [`Left out of them, because the texts do not say so: ${words.join(', ')}.`] : []
}
