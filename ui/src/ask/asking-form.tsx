/** Where a question is written: its words, the strategy, and a panel with everything else, which is closed by default. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { LazyPart, lazy } from '../shared/lazy-part'
import { askable, summaries } from '../strategies/strategies'
import { type Choices, countChosen, unchosen } from './choices'
import { Chosen } from './chosen'

interface Props {
  readonly corpus: string
  readonly strategies: readonly string[]
  readonly question: string
  readonly write: (question: string) => void
  readonly choices: Choices
  readonly choose: (part: Partial<Choices>) => void
  readonly busy: boolean
  readonly pose: () => void
  readonly stop: () => void
  /** Absent: nothing can be kept here. */
  readonly keeping: { readonly on: boolean; set(on: boolean): void } | undefined
  /** Absent: there is nothing to clear. */
  readonly startOver: (() => void) | undefined
}

const panel = lazy(() => import('./options/panel').then((module) => module.OptionsPanel))

export function AskingForm(props: Props) {
  const { corpus, strategies, question, write, choices, choose, busy, pose, stop, keeping, startOver } = props
  const [isOpen, open] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const chosen = countChosen(choices)
  useEffect(() => {
    if (isOpen) body.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <form
      class="asking card"
      onSubmit={(event) => {
        event.preventDefault()
        pose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        open(false)
        opener.current?.focus()
      }}
    >
      <label for="question" class="visually-hidden">
        Question
      </label>
      <textarea
        id="question"
        rows={2}
        placeholder="Ask a question"
        value={question}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          pose()
        }}
      />
      {!isOpen && <Chosen choices={choices} choose={choose} />}
      {isOpen && (
        <section id="options" class="panel" ref={body} aria-label="Options">
          <LazyPart part={panel} props={{ corpus, choices, choose }} />
        </section>
      )}
      <div class="row wrap">
        <label class="inline">
          <span class="wide-only">Strategy</span>
          <select
            value={choices.strategy}
            onChange={(event) => choose({ strategy: event.currentTarget.value })}
            title={summaries[choices.strategy]}
          >
            {askable(strategies).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="quiet"
          ref={opener}
          aria-expanded={isOpen}
          aria-controls={isOpen ? 'options' : undefined}
          onClick={() => open(!isOpen)}
        >
          Options{chosen > 0 && ` (${chosen})`}
        </button>
        {isOpen && chosen > 0 && (
          <button type="button" class="quiet" onClick={() => choose({ ...unchosen, strategy: choices.strategy })}>
            Defaults
          </button>
        )}
        {keeping && (
          <label class="inline">
            <input type="checkbox" checked={keeping.on} onChange={(event) => keeping.set(event.currentTarget.checked)} />
            Keep on the server
          </label>
        )}
        <span class="grow" />
        {startOver && (
          <button type="button" class="quiet" onClick={startOver}>
            Start over
          </button>
        )}
        {busy ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="submit" class="primary">
            Ask
          </button>
        )}
      </div>
    </form>
  )
}
