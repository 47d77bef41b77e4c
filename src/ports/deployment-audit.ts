/** The audit log of the deployment. */
import type { Actor } from './audit'

/** Of what is done to keys and to whole corpora. */
export interface DeploymentAudit {
  /** Before it is done, so that nothing is missing. */
  add(entry: NewDeploymentEntry): Promise<void>
  /** Newest first. */
  entries(before: { readonly at: number; readonly id: string } | null, limit: number): Promise<readonly DeploymentEntry[]>
  forget(before: number): Promise<void>
}

export interface NewDeploymentEntry extends Actor {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `key.create`, `key.limit`, `key.rotate`, `key.revoke`, `corpus.create`, `corpus.delete`, `corpus.undelete` */
  readonly action: string
  /** The key's id, or the corpus's name. */
  readonly subject: string
  readonly outcome: string
}

export interface DeploymentEntry extends NewDeploymentEntry {
  readonly id: string
}
