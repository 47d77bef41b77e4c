/** What every tab of a corpus's page is given. */
import type { Corpus } from '../../../src/client/client'

export interface TabProps {
  readonly corpus: Corpus
  readonly again: () => void
  readonly query: URLSearchParams
}
