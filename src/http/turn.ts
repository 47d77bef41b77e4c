/** A place in the reading room (reading-room.ts), held by an admitted request. */
export interface Turn {
  /** This many more bytes of the body have arrived. False: too slowly, and the room has been given to another request. */
  arrived(bytes: number, now: number): boolean
  /** The body is complete: the turn now ends only after a minute without activity. */
  complete(now: number): void
  /**
   * For contents of a body that need more than the body's own turn holds: false while another request reads such a file, of which
   * only one is read at a time.
   */
  deepen(weight: number, now: number): boolean
  /** Back to what it was admitted with. */
  shallow(now: number): void
  /** Releases the room. */
  leave(): void
}
