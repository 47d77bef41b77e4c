/** Strategies that a corpus in partitions can have. */
import { declarations } from './index'

export const jointStrategies: readonly string[] = declarations.flatMap(({ name, isJoint }) => (isJoint ? [name] : []))

export function isJoint(strategy: string): boolean {
  return jointStrategies.includes(strategy)
}
