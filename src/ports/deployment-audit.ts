/** The audit log of the deployment. */
import type { DeploymentEntry as AnsweredEntry, AuditAction } from '../contract/audit'

/** Actions on keys and on whole corpora. */
export interface DeploymentAudit {
  /** Written before the action, so that none is missing. */
  add(entry: NewDeploymentEntry): Promise<void>
  /** Newest first. */
  entries(before: { readonly at: number; readonly id: string } | null, limit: number): Promise<readonly DeploymentEntry[]>
  forget(before: number): Promise<void>
}

/** As the API returns it, except for its time, which is in milliseconds since the epoch. */
export type NewDeploymentEntry = Omit<AnsweredEntry, 'at' | 'action'> & { readonly at: number; readonly action: AuditAction }

export type DeploymentEntry = Omit<AnsweredEntry, 'at'> & { readonly at: number; readonly id: string }
