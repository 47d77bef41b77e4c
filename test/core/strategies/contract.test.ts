/** Every strategy of Loam, and the toy, keep one contract. */
import './toy/added'
import { declarations } from '../../../src/core/strategies/index'
import { type Exceptions, strategyContract } from './contract'

const exceptions: { readonly [strategy: string]: Exceptions } = {
  archrag: { S213: 'communities are regrouped locally between consolidations (docs/archrag.md)' },
}

for (const declared of declarations) if (declared.strategy) strategyContract(declared, declared.strategy, exceptions[declared.name])
