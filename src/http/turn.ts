/** A place in the reading room (reading-room.ts), as the request has it that is let in. */
export interface Turn {
  /** So many bytes more of the body have come in. False: too slowly, and the room has been given to another. */
  arrived(bytes: number, now: number): boolean
  /** All of it is there: nobody takes the turn away now but a minute without a sign. */
  complete(now: number): void
  /** For what is inside of a body and takes more than the body's own turn holds: false while another is at such a file, of which one is read at a time. */
  deepen(weight: number, now: number): boolean
  /** Back to what it was let in with. */
  shallow(now: number): void
  /** Gives the room back. */
  leave(): void
}
