/** Any number of strategies, each with what it does. */
import { explained } from './strategies'

interface Props {
  readonly legend: string
  readonly names: readonly string[]
  readonly chosen: readonly string[]
  readonly pick: (chosen: readonly string[]) => void
}

export function StrategyChoice({ legend, names, chosen, pick }: Props) {
  const flip = (name: string) => pick(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {names.map((name) => (
        <label class="check" key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => flip(name)} />
          <span>
            {name} <span class="fine">{explained[name]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
