/** Which documents count more, or less, by their metadata. */
import { useState } from 'preact/hooks'
import type { Boost } from '../choices'
import { Chip } from './chip'
import { Pair } from './filters'

const MOST = 20

interface Props {
  readonly boosts: readonly Boost[]
  readonly set: (boosts: readonly Boost[]) => void
}

export function Boosts({ boosts, set }: Props) {
  const [key, name] = useState('')
  const [value, write] = useState('')
  const [factor, weigh] = useState('2')
  const add = () => {
    const times = Number(factor)
    if (key.trim() === '' || value === '' || !(times >= 0 && times <= 100) || boosts.length >= MOST) return
    set([...boosts.filter((one) => one.key !== key.trim() || one.value !== value), { key: key.trim(), value, factor: times }])
    write('')
  }
  return (
    <>
      {boosts.length > 0 && (
        <div class="row wrap">
          {boosts.map((one) => (
            <Chip key={`${one.key}=${one.value}`} remove={() => set(boosts.filter((other) => other !== one))}>
              {one.key} = {one.value} × {one.factor}
            </Chip>
          ))}
        </div>
      )}
      <Pair
        names={['Key to boost', 'Value to boost']}
        values={[key, value]}
        write={[name, write]}
        add={add}
        more={
          <>
            <span aria-hidden="true">×</span>
            <input
              type="number"
              class="times"
              aria-label="Times"
              min={0}
              max={100}
              step="any"
              value={factor}
              onInput={(event) => weigh(event.currentTarget.value)}
            />
          </>
        }
      >
        Add the boost
      </Pair>
    </>
  )
}
