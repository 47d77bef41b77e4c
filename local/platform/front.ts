/** Did a request come through the server `npm start` puts before this one, which looks at who asks? Tests have none, and no secret. */
export interface Fronted {
  /** Of this run. */
  readonly FRONT_SECRET?: string
}

export function cameByTheFront(request: Request, { FRONT_SECRET }: Fronted): boolean {
  return FRONT_SECRET === undefined || request.headers.get('x-loam-front') === FRONT_SECRET
}
