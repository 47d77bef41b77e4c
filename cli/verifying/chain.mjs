/** The chain of receipts: does each follow from the one before, and does its state? The rules stand in docs/verify.md. Pure. */
import { createHash } from 'node:crypto'

const GENESIS = '0'.repeat(64)
const MODULUS = 1n << 256n

export const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')
export const hex = (sum) => sum.toString(16).padStart(64, '0')

/** JSON with sorted keys and without undefined. */
export function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.flatMap((key) => (value[key] === undefined ? [] : [`${JSON.stringify(key)}:${canonical(value[key])}`])).join(',')}}`
}

/** A sum of hashes, less what goes beyond 256 bits. */
export const added = (sum, digits) => (sum + BigInt(`0x${digits}`)) % MODULUS

export const beginning = () => ({ hash: GENESIS, state: 0n, version: 0, receipts: 0 })

/** Goes on to the next receipt, and tells `fault` of what does not fit. */
export function follow(chain, { type: _, hash, ...receipt }, fault) {
  chain.receipts++
  const name = `the receipt of version ${receipt.version}`
  if (chain.receipts > 1 && receipt.version !== chain.version + 1) fault(`${name} is out of order`)
  if (sha256(`${chain.hash}\n${canonical(receipt)}`) !== hash) fault(`${name} does not follow from the one before it`)
  const [change, state] = [number(receipt.change), number(receipt.state)]
  if ((chain.state + change) % MODULUS !== state) fault(`${name}: its change does not lead to its state`)
  Object.assign(chain, { hash, state, version: receipt.version })
}

function number(digits) {
  return /^[0-9a-f]{64}$/.test(digits) ? BigInt(`0x${digits}`) : -1n
}
