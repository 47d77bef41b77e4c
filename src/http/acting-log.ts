/** What is done to whole corpora is also in the deployment's audit log. */
import { actorOf, type Ctx, enteredAction } from './context'

/** Recorded before it is done. The corpus's own log is deleted with it, so the deployment's log says who deleted it. */
export function enterAction(c: Ctx, { name }: { readonly name: string }): Promise<void> {
  const { audit, now } = c.get('world')
  return audit.add({ ...actorOf(c), at: now(), action: enteredAction(c), subject: name, outcome: 'asked' })
}
