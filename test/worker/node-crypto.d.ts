/** What of Node's hashes the check of exports uses; the rest of Node is unknown here. */
declare module 'node:crypto' {
  export interface Hash {
    update(text: string, encoding: 'utf8'): Hash
    digest(encoding: 'hex'): string
  }
  export function createHash(algorithm: 'sha256'): Hash
}
