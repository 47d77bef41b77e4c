/** Who lets clients of MCP in without a key being pasted into them: OAuth 2.1, whose every grant stands for a key of Loam. */

export interface Grant {
  readonly key: string
  readonly scopes: readonly string[]
}

/** What a person is asked. Every text of it was written by the client. */
export interface ConsentAsked {
  readonly clientName: string
  /** Where the client is told. */
  readonly redirectHost: string
  readonly redirectOrigin: string
  /** A program on the person's own machine, whatever it calls itself. */
  readonly isLocal: boolean
  readonly scopes: readonly string[]
  /** Names this question when it is answered; once, by the browser that was asked. */
  readonly handle: string
  /** To be sent with the page. */
  readonly headers: Headers
}

/** What was asked cannot be answered: sent back to the client where that is safe, else told to the person. */
export interface OAuthRefusal {
  readonly refused: string
  readonly redirectTo?: string
}

export interface Approval {
  readonly key: string
  /** The key's id. */
  readonly user: string
  readonly scopes: readonly string[]
}

export interface OAuth {
  /** The protocol's own endpoints: metadata, registration, tokens, revocation. */
  serve(request: Request): Promise<Response>
  /** Null: no token of ours for this resource, or not any more. */
  grantOf(origin: string, token: string): Promise<Grant | null>
  ask(request: Request): Promise<ConsentAsked | OAuthRefusal>
  approve(request: Request, handle: string, approval: Approval): Promise<Response | OAuthRefusal>
  deny(request: Request, handle: string): Promise<Response | OAuthRefusal>
}
