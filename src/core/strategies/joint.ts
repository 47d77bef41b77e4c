/**
 * Strategies that can walk several graphs read as one (core/joint): all they read for a question lies near its words, vectors and names. The others
 * need structures that are whole only within one graph (hierarchies of communities, what labels have learned), and are not offered there.
 */
const JOINT: ReadonlySet<string> = new Set(['auto', 'vector', 'keyword', 'hybrid', 'ppr'])

export function isJoint(strategy: string): boolean {
  return JOINT.has(strategy)
}

export const jointStrategies: readonly string[] = [...JOINT]
