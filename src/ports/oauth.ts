/** Admits MCP clients without anyone pasting a key into them: OAuth 2.1, where every grant stands for a key of Loam. */

export interface Grant {
  readonly key: string
  readonly scopes: readonly string[]
}

/** What a person is asked. The client wrote every text in it. */
export interface ConsentAsked {
  readonly clientName: string
  /** Where the client gets the decision. */
  readonly redirectHost: string
  readonly redirectOrigin: string
  /** A program on the person's own machine, whatever it calls itself. */
  readonly isLocal: boolean
  readonly scopes: readonly string[]
  /** Names this question when it is answered: once only, by the browser that was asked. */
  readonly handle: string
  /** Headers to send with the page. */
  readonly headers: Headers
}

/** The request cannot be granted: reported to the client where that is safe, or else to the person. */
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
  /** Null: not a token of ours for this resource, or no longer valid. */
  grantOf(origin: string, token: string): Promise<Grant | null>
  ask(request: Request): Promise<ConsentAsked | OAuthRefusal>
  approve(request: Request, handle: string, approval: Approval): Promise<Response | OAuthRefusal>
  deny(request: Request, handle: string): Promise<Response | OAuthRefusal>
}
