/**
 * Strategies whose walk may go over several graphs that are read as one (core/joint): what they read of a question is near its words, vectors and names. The
 * others have structures that only one graph has whole (hierarchies of communities, what labels have learned), and are not offered there.
 */
const JOINT: ReadonlySet<string> = new Set(['auto', 'vector', 'keyword', 'hybrid', 'ppr'])

export function isJoint(strategy: string): boolean {
  return JOINT.has(strategy)
}

export const jointStrategies: readonly string[] = [...JOINT]
