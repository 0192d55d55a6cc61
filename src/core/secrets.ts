import {
  createCipheriv,
  createDecipheriv,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** SHA-256 of a credential: what the database keeps instead of the raw value. */
export function credentialDigest(raw: string): Buffer {
  return hash('sha256', raw, 'buffer');
}

/** `prefix` and 32 characters of 160 random bits, each in [0-9a-v]. */
export function generateCredential(prefix: string): string {
  const bits = BigInt(`0x${randomBytes(20).toString('hex')}`);
  return prefix + bits.toString(32).padStart(32, '0');
}

/** Returns true if the `Authorization` header is the token as a Bearer token; takes constant time. */
export function isBearer(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(
    credentialDigest(authorization ?? ''),
    credentialDigest(`Bearer ${token}`),
  );
}

/** The pair of a Basic `Authorization` header (RFC 7617 §2). */
export interface BasicCredentials {
  user: string;
  password: string;
}

/** Reads the header; null when it is of another kind or its password is blank. */
export function basicCredentials(authorization: string): BasicCredentials | null {
  const [, encoded] = /^basic +([a-z0-9+/=]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1 || colon === pair.length - 1) return null;
  return { user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts that the database keeps for us, with a key derived from SECRET_KEY. */
export class TextCipher {
  private readonly key: Buffer;

  /** `purpose` separates the keys of different kinds of secrets (RFC 5869 §3.2). */
  constructor(secretKey: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
  }

  /** Returns base64 of nonce, tag and ciphertext. */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** Returns the text, or null if it was encrypted with another key or changed since. */
  decrypt(encrypted: string): string | null {
    const bytes = Buffer.from(encrypted, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    if (tag.length !== TAG_BYTES) return null;
    try {
      const decipher = createDecipheriv(ALGORITHM, this.key, nonce).setAuthTag(tag);
      const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}
