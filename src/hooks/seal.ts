/**
 * Secrets at rest: AES-GCM under a key derived from MASTER_KEY (HKDF-SHA-256), bound to the name they are kept under. A row copied to
 * another hook does not open. The secret itself is never logged, listed or put into an error.
 */
const IV = 12 // bytes, new for each secret
const encoder = new TextEncoder()
const INFO = encoder.encode('loam webhook secrets v1')

export interface Vault {
  seal(secret: string, name: string): Promise<string>
  /** Throws if the text was not sealed by this key under this name. */
  open(sealed: string, name: string): Promise<string>
}

interface Sealed {
  readonly sealed: string
}

/** Those of the secrets that this key opens: another may have been in use when the others were sealed. */
export async function openable<T extends Sealed>(
  vault: Vault,
  secrets: readonly T[],
  name: string,
): Promise<readonly { readonly record: T; readonly secret: string }[]> {
  const tried = await Promise.allSettled(secrets.map((one) => vault.open(one.sealed, name)))
  return secrets.flatMap((record, i) => {
    const one = tried[i]
    return one?.status === 'fulfilled' ? [{ record, secret: one.value }] : []
  })
}

/** Null: no master key is configured, so no secret can be kept. */
export function vault(masterKey: string): Vault | null {
  if (masterKey === '') return null
  let derived: Promise<CryptoKey> | undefined
  const key = (): Promise<CryptoKey> => {
    derived ??= derive(masterKey)
    return derived
  }
  return {
    async seal(secret, name) {
      const iv = crypto.getRandomValues(new Uint8Array(IV))
      const additionalData = encoder.encode(name)
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, await key(), encoder.encode(secret))
      return base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
    },
    async open(sealed, name) {
      const bytes = bytesOfBase64(sealed) ?? new Uint8Array()
      const additionalData = encoder.encode(name)
      const iv = bytes.slice(0, IV)
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, await key(), bytes.slice(IV)))
    },
  }
}

async function derive(masterKey: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', encoder.encode(masterKey), 'HKDF', false, ['deriveKey'])
  const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: INFO }
  return crypto.subtle.deriveKey(from, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Null: not base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
