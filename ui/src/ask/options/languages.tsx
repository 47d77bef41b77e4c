/** Languages that documents are in: any of those chosen. */
import { knownLanguages, languageName } from '../../shared/languages'
import { Chip } from './chip'

interface Props {
  readonly chosen: readonly string[]
  readonly set: (codes: readonly string[]) => void
}

export function Languages({ chosen, set }: Props) {
  return (
    <>
      {chosen.length > 0 && (
        <div class="row wrap">
          {chosen.map((code) => (
            <Chip key={code} remove={() => set(chosen.filter((one) => one !== code))}>
              {languageName(code)}
            </Chip>
          ))}
        </div>
      )}
      <div class="row given">
        <select
          aria-label="Only documents in this language"
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value) set([...chosen, currentTarget.value])
            currentTarget.value = ''
          }}
        >
          <option value="">in any language</option>
          {knownLanguages()
            .filter(([code]) => !chosen.includes(code))
            .map(([code, name]) => (
              <option key={code} value={code}>
                in {name}
              </option>
            ))}
        </select>
      </div>
    </>
  )
}
