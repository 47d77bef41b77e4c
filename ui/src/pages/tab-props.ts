/** The props of every tab on a corpus's page. */
import type { Corpus } from '../../../src/client/client'

export interface TabProps {
  readonly corpus: Corpus
  readonly again: () => void
  readonly query: URLSearchParams
}
