/** The time of a run, divided among its models and roles: what one has not used, or used beyond its part, is of those after it. */

export interface Time {
  /** Minutes for a part of so large a share. */
  partOf(share: number): number
  used(share: number, seconds: number): void
}

/** `minutes`: of writing, all together; without end where it is infinite. `shares`: of all parts together. */
export function timeOf(minutes: number, shares: number): Time {
  let left = minutes
  let open = shares
  return {
    partOf: (share) => (Number.isFinite(left) ? Math.max(0, (left * share) / Math.max(open, share)) : left),
    used(share, seconds) {
      left -= seconds / 60
      open -= share
    },
  }
}
