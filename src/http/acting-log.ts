/** What is done to whole corpora is in the deployment's audit log, too. */
import { actorOf, type Ctx, enteredAction } from './context'

/** Before it is done. The corpus's own log goes with it, so the deployment's says who deleted it. */
export function enterAction(c: Ctx, { name }: { readonly name: string }): Promise<void> {
  const { audit, now } = c.get('world')
  return audit.add({ ...actorOf(c), at: now(), action: enteredAction(c), subject: name, outcome: 'asked' })
}
