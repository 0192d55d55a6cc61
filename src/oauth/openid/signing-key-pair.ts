import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';

export const SIGNING_ALGORITHM = 'RS256';

/** Both halves of a new key; `kid` is its thumbprint (RFC 7638). */
export interface SigningKeyPair {
  kid: string;
  publicJwk: JWK;
  privateJwk: JWK;
}

/** Makes an RSA key of 2048 bits, off the event loop. */
export async function generateSigningKeyPair(): Promise<SigningKeyPair> {
  const options = { modulusLength: 2048, extractable: true };
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, options);
  const publicJwk = await exportJWK(publicKey);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    privateJwk: await exportJWK(privateKey),
  };
}

/** The private half in the form that signs. */
export async function importPrivateKey(privateJwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(privateJwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key is no key pair');
  return key;
}
