/** Who calls, and how often they may. */
/** True while the caller may go on. */
export type Limiter = (key: string) => Promise<boolean>

/** The principals that a signed token of the deployment's identity provider names. */
export interface Identity {
  /** None where the request carries no token. refused: it carries one that is not good · unavailable: it cannot be checked now */
  principals(header: (name: string) => string | undefined): Promise<readonly string[] | 'refused' | 'unavailable'>
}
