/** What a reply came to: what was made of it, or the fault it was told for. */
import { replyFaultOf } from '../../../../src/flows/faults'

export function outcome(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return replyFaultOf(error)
  }
}
