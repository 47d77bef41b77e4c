/** The one hasher that serves all texts, beside the library used anew for each. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../../src/core/algorithms/sha256'
import { fingerprint } from '../../../src/core/ids'

const general = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

it('[G540] a text’s SHA-256 is the standard’s: of any length, of any characters, halves of characters included', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad') // FIPS 180-4's own example
  for (let length = 0; length < 200; length++) expect(sha256Hex('a'.repeat(length))).toBe(general('a'.repeat(length)))
  for (const length of [510, 511, 512, 513, 1023, 1024, 1025, 5000]) {
    for (const letter of ['x', 'é', '漢', '😀', '\ud800']) expect(sha256Hex(letter.repeat(length))).toBe(general(letter.repeat(length)))
  }
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 1200 }))
  fc.assert(
    fc.property(texts, (text) => {
      expect(sha256Hex(text)).toBe(general(text))
    }),
    { seed: 540, numRuns: 400 },
  )
})

it('[G540] a fingerprint is the first 128 bits of it in base64url', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const all = `${utf8ToBytes(text).length}:${text}`
      expect(fingerprint(text)).toBe(Buffer.from(sha256(utf8ToBytes(all)).subarray(0, 16)).toString('base64url'))
    }),
    { seed: 541 },
  )
})
