/** The audit log of the deployment. */
import type { DeploymentEntry as AnsweredEntry, AuditAction } from '../contract/audit'

/** Of what is done to keys and to whole corpora. */
export interface DeploymentAudit {
  /** Before it is done, so that nothing is missing. */
  add(entry: NewDeploymentEntry): Promise<void>
  /** Newest first. */
  entries(before: { readonly at: number; readonly id: string } | null, limit: number): Promise<readonly DeploymentEntry[]>
  forget(before: number): Promise<void>
}

/** As it is answered, but for its time: milliseconds since the epoch. */
export type NewDeploymentEntry = Omit<AnsweredEntry, 'at' | 'action'> & { readonly at: number; readonly action: AuditAction }

export type DeploymentEntry = Omit<AnsweredEntry, 'at'> & { readonly at: number; readonly id: string }
