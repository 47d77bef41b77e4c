/** A corpus that this page saw being restored to a moment: until it is open again, and the result. */
import { signal } from '@preact/signals'
import type { Recovery } from '../../../src/client/client'

interface Seen {
  readonly corpus: string
  readonly recovery: Recovery
}

export const recovering = signal<Seen | null>(null)

export const isOver = ({ status }: Recovery): boolean => status === 'restored' || status === 'refused'

export const isClosedFor = (corpus: string): boolean => recovering.value?.corpus === corpus && !isOver(recovering.value.recovery)
