/** Things in the graph that were changed, by name: what they are is read from the graph. */

/** n node · e edge · p place · v value · c chunk · d document · m what is known about a document apart from the graph · f saved filters */
export type ChangedKey =
  | readonly ['n' | 'c' | 'd' | 'm', string]
  | readonly ['e', string, string, string]
  | readonly ['p' | 'v', string, string]
  | readonly ['f']
