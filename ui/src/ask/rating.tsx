/** Thumbs under an answer, if the corpus logs questions; a bad rating may say why. */
import { useState } from 'preact/hooks'
import { lacking } from '../access/rights'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'

type Rating = 'good' | 'bad'

export function RatingView({ corpus, question }: { readonly corpus: string; readonly question: string }) {
  const [rated, rate] = useState<Rating>()
  const [comment, say] = useState('')
  const [isSent, sent] = useState(false)
  const [fault, fail] = useState<unknown>()
  const give = async (rating: Rating, words = '') => {
    fail(undefined)
    rate(rating)
    const { queryLog } = corpusAt(corpus)
    await queryLog.rate({ question, rating, ...(words ? { comment: words } : {}) }).then(() => sent(words !== ''), fail)
  }
  return (
    <div class="row wrap">
      <fieldset class="thumbs">
        <legend class="visually-hidden">Was this answer helpful?</legend>
        <button type="button" class="quiet" aria-pressed={rated === 'good'} title="A good answer" onClick={() => void give('good')}>
          <Thumb />
          <span class="visually-hidden">A good answer</span>
        </button>
        <button type="button" class="quiet" aria-pressed={rated === 'bad'} title="A bad answer" onClick={() => void give('bad')}>
          <Thumb down />
          <span class="visually-hidden">A bad answer</span>
        </button>
      </fieldset>
      {rated === 'bad' && !isSent && (
        <form
          class="row wrap"
          onSubmit={(event) => {
            event.preventDefault()
            void give('bad', comment.trim())
          }}
        >
          <label class="row">
            <span class="visually-hidden">What is wrong with it?</span>
            <input
              type="text"
              placeholder="What is wrong with it?"
              maxLength={500}
              value={comment}
              onInput={(event) => say(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={comment.trim() === ''}>
            Send
          </button>
        </form>
      )}
      {rated && (rated === 'good' || isSent) && (
        <span class="fine" role="status">
          Thank you.
        </span>
      )}
      <Failure fault={fault} />
    </div>
  )
}

/** Where answers are not rated, since questions are not logged: how that is changed, for those who may. */
export function Unrated({ corpus }: { readonly corpus: string }) {
  if (lacking('admin')) return null
  return (
    <p class="fine">
      To rate answers, let <a href={`${to(['c', corpus, 'usage'])}`}>Usage and settings</a> keep this corpus’s questions.
    </p>
  )
}

/** Drawn, since not every system has a glyph for it. */
function Thumb({ down = false }: { readonly down?: boolean }) {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
      <path
        transform={down ? 'rotate(180 12 12)' : undefined}
        stroke-linejoin="round"
        d="M7 20.5h9.6a2 2 0 0 0 2-1.6l1.3-6.9a2 2 0 0 0-2-2.4H13l.9-4.3A1.9 1.9 0 0 0 12 3L7 9.8zM7 9.8H3.5v10.7H7"
      />
    </svg>
  )
}
