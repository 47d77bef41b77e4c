/** Puts the toy on the list. Imported before anything that is derived from the list, it makes a Loam with six systems. */
import { declarations } from '../../../../src/core/strategies/index'
import type { StrategyDeclaration } from '../../../../src/core/strategy-declaration'
import { toy } from './declaration'

;(declarations as StrategyDeclaration[]).push(toy)
