/** Questions to begin with: about the names that most of the corpus mentions, each only if it was asked before it is shown and answered well. */
import { useLoad } from '../shared/load'
import { provenExamples } from './proven-examples'

interface Props {
  readonly corpus: string
  readonly version: number
  /** If questions are logged, no suggestion is tried: nobody has asked it. */
  readonly isLogged: boolean
  readonly write: (question: string) => void
}

/** Nothing where none is answered well, or the service cannot be asked: a question can be asked all the same. */
export function Examples({ corpus, version, isLogged, write }: Props) {
  const { value } = useLoad(
    (signal) => (isLogged ? Promise.resolve([]) : provenExamples(corpus, version, signal)),
    [corpus, version, isLogged],
  )
  if (!value || value.length === 0) return null
  return (
    <>
      <p>For example:</p>
      <p class="row wrap">
        {value.map((example) => (
          <button key={example} type="button" class="small" dir="auto" onClick={() => write(example)}>
            {example}
          </button>
        ))}
      </p>
    </>
  )
}
