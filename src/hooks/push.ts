/** Does GitHub's push event concern the branch that a source follows? Data in, answer out. */
import type { Json } from '../core/graph/types'
import { valueAt } from './pointer'

export interface Push {
  /** `owner/name`. */
  readonly repository: string
  /** As git writes it: `refs/heads/main`. */
  readonly ref: string
  readonly defaultBranch: string
}

/** Null: it does not say what was pushed where. */
export function readPush(event: Json): Push | null {
  const [repository, ref, branch] = ['/repository/full_name', '/ref', '/repository/default_branch'].map((place) => valueAt(event, place))
  if (typeof repository !== 'string' || typeof ref !== 'string') return null
  return { repository, ref, defaultBranch: typeof branch === 'string' ? branch : '' }
}

interface Followed {
  readonly kind: string
  readonly url: string
  readonly options: { readonly ref?: string | null }
}

/** GitHub's repository names are case-insensitive; branch names are not. A followed tag counts like a branch. */
export function isFollowed({ kind, url, options }: Followed, { repository, ref, defaultBranch }: Push): boolean {
  if (kind !== 'github' || new URL(url).pathname.slice(1).toLowerCase() !== repository.toLowerCase()) return false
  const followed = options.ref ?? defaultBranch
  return followed !== '' && [`refs/heads/${followed}`, `refs/tags/${followed}`, followed].includes(ref)
}
