/** Any number of strategies, each with an explanation. */
import { summaries } from './strategies'

interface Props<T extends string> {
  readonly legend: string
  readonly names: readonly T[]
  readonly chosen: readonly T[]
  readonly pick: (chosen: readonly T[]) => void
}

export function StrategyChoice<T extends string>({ legend, names, chosen, pick }: Props<T>) {
  const flip = (name: T) => pick(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {names.map((name) => (
        <label class="check" key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => flip(name)} />
          <span>
            {name} <span class="fine">{summaries[name]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
