/** The options of the next question that are not the defaults, shown while the panel is closed: nothing that narrows an answer is hidden. */

import { facetName, languageName } from '../shared/languages'
import { type Choices, filterList, unchosen, withoutFilter } from './choices'
import { Chip } from './options/chip'

const EXPANDED = { decompose: 'with its parts', hyde: 'with an imagined answer' } as const

interface Props {
  readonly choices: Choices
  readonly choose: (part: Partial<Choices>) => void
}

export function Chosen({ choices, choose }: Props) {
  const {
    top,
    asOf,
    since,
    until,
    freshness,
    expand,
    granularity,
    diversity,
    perDocument,
    filters,
    languages,
    saved,
    boosts,
    facets,
    corpora,
  } = choices
  const chips: readonly (readonly [text: string, without: Partial<Choices>])[] = [
    ...corpora.map((name) => [`with ${name}`, { corpora: corpora.filter((one) => one !== name) }] as const),
    ...filterList(filters).map(([key, value]) => [`${key} = ${value}`, { filters: withoutFilter(filters, key, value) }] as const),
    ...languages.map((code) => [`in ${languageName(code)}`, { languages: languages.filter((one) => one !== code) }] as const),
    ...saved.map((name) => [`filter ${name}`, { saved: saved.filter((one) => one !== name) }] as const),
    ...boosts.map((one) => [`${one.key} = ${one.value} × ${one.factor}`, { boosts: boosts.filter((other) => other !== one) }] as const),
    ...facets.map((key) => [`by ${facetName(key)}`, { facets: facets.filter((one) => one !== key) }] as const),
    ...(top > 0 ? [[`${top} pieces`, { top: 0 }] as const] : []),
    ...(asOf ? [[`in force on ${asOf}`, { asOf: '' }] as const] : []),
    ...(since ? [[`since ${since}`, { since: '' }] as const] : []),
    ...(until ? [[`until ${until}`, { until: '' }] as const] : []),
    ...(freshness > 0 ? [[`freshness ${freshness}`, { freshness: 0 }] as const] : []),
    ...(expand === 'none' ? [] : [[EXPANDED[expand], { expand: unchosen.expand }] as const]),
    ...(granularity === 'passage' ? [] : [[`whole ${granularity}s`, { granularity: unchosen.granularity }] as const]),
    ...(diversity > 0 ? [[`diversity ${diversity}`, { diversity: 0 }] as const] : []),
    ...(perDocument > 0 ? [[`at most ${perDocument} per document`, { perDocument: 0 }] as const] : []),
  ]
  if (chips.length === 0) return null
  return (
    <div class="row wrap chosen">
      {chips.map(([text, without]) => (
        <Chip key={text} remove={() => choose(without)}>
          {text}
        </Chip>
      ))}
    </div>
  )
}
