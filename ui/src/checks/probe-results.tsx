/** The results of one probe: at which place each strategy has it now, and how the last gated change would have moved it. */
import type { Finding, Probe } from '../../../src/client/client'
import { percent } from '../shared/numbers'

export function ProbeResults({ last, gate, missing, expect }: Pick<Probe, 'last' | 'gate' | 'missing' | 'expect'>) {
  const now = Object.entries(last?.found ?? {})
  const moved = Object.entries(gate?.found ?? {}).filter(([, { before, after }]) => placeWords(before) !== placeWords(after))
  return (
    <>
      {missing.length > 0 && (
        <p class="fine">
          {missing.length === expect.length
            ? 'None of these documents is in the corpus, so this question does not count.'
            : `Not in the corpus: ${missing.join(', ')}.`}
        </p>
      )}
      {now.length > 0 && (
        <ul class="row wrap plain" aria-label="Found last">
          {now.map(([strategy, one]) => (
            <li key={strategy} class="status" data-status={statusOf(one)}>
              {strategy} {placeWords(one)}
            </li>
          ))}
        </ul>
      )}
      {gate && moved.length > 0 && (
        <p class="fine">
          At the last {gate.kind}:{' '}
          {moved.map(([strategy, { before, after }]) => `${strategy} ${placeWords(before)} before, ${placeWords(after)} after`).join('; ')}
        </p>
      )}
    </>
  )
}

const placeWords = ({ recall, rank }: Finding): string =>
  rank === null ? 'not found' : `place ${rank}${recall < 1 ? `, ${percent(recall)} of them` : ''}`

const statusOf = ({ recall, rank }: Finding): string => (rank === null ? 'failed' : recall < 1 ? 'partial' : 'ok')
