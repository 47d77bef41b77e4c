/**
 * Did a request come through the server that `npm start` puts in front of this one, which checks who asks? Tests have no such server, and
 * no secret.
 */
export interface Fronted {
  /** The secret of this run. */
  readonly FRONT_SECRET?: string
}

export function cameByTheFront(request: Request, { FRONT_SECRET }: Fronted): boolean {
  return FRONT_SECRET === undefined || request.headers.get('x-loam-front') === FRONT_SECRET
}
