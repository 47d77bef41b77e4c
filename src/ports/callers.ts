/** Who calls, and how often they may. */
/** True while the caller may continue. */
export type Limiter = (key: string) => Promise<boolean>

/** The principals named by a signed token of the deployment's identity provider. */
export interface Identity {
  /** none: the request carries no token · refused: its token is not valid · unavailable: it cannot be checked now */
  principals(header: (name: string) => string | undefined): Promise<readonly string[] | 'refused' | 'unavailable'>
}
