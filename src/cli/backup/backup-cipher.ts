import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** 64 MiB and some 0.2 seconds for each guess of a passphrase. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1 };
/** Bounds of what a store's file can make this process compute: 1 GiB. */
const MAX_SCRYPT_BLOCKS = 2 ** 23;
const MAX_SCRYPT_P = 8;
/** Objects of format 1 could stand for each other. */
const KEY_FILE_VERSION = 2;

const [STORED, DEFLATED] = [0, 1];
const compress = promisify(deflate);
const decompress = promisify(inflate);

/** The wrapped key of a store, as its file has it. */
export interface KeyFile {
  version: typeof KEY_FILE_VERSION;
  kdf: { name: 'scrypt'; salt: string; N: number; r: number; p: number };
  /** The random key of the store, encrypted by the passphrase's. */
  wrapped_key: string;
}

/** Checks the form of a store's file, and that its key costs no more than the bounds. */
export function isKeyFile(content: unknown): content is KeyFile {
  if (typeof content !== 'object' || content === null) return false;
  const { version, kdf, wrapped_key: wrappedKey } = content as Partial<KeyFile>;
  if (version !== KEY_FILE_VERSION || typeof wrappedKey !== 'string') return false;
  if (kdf?.name !== 'scrypt' || typeof kdf.salt !== 'string') return false;
  const { N, r, p } = kdf;
  const arePositive = [N, r, p].every((number) => Number.isSafeInteger(number) && number > 0);
  return (
    arePositive && N * r <= MAX_SCRYPT_BLOCKS && p <= MAX_SCRYPT_P && Number.isInteger(Math.log2(N))
  );
}

/** A wrong passphrase, or an object that is not as it was written. */
export class DecryptionError extends Error {}

/** Encrypts and names the objects of one store by its random key. */
export class BackupCipher {
  private readonly encryptionKey: Buffer;
  private readonly nonceKey: Buffer;
  private readonly nameKey: Buffer;

  private constructor(key: Buffer) {
    const derive = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', key, '', `guildhall backup ${purpose}`, KEY_BYTES));
    this.encryptionKey = derive('encryption');
    this.nonceKey = derive('nonce');
    this.nameKey = derive('name');
  }

  /** Makes the key of a new store. */
  static async createKey(passphrase: string): Promise<KeyFile> {
    const key = randomBytes(KEY_BYTES);
    const salt = randomBytes(16);
    const nonce = randomBytes(NONCE_BYTES);
    const wrapped = seal(await passphraseKey(passphrase, salt, SCRYPT), { nonce, name: '' }, key);
    const kdf = { name: 'scrypt' as const, salt: salt.toString('base64'), ...SCRYPT };
    return { version: KEY_FILE_VERSION, kdf, wrapped_key: wrapped.toString('base64') };
  }

  /** Throws DecryptionError for a wrong passphrase. */
  static async open(passphrase: string, { kdf, wrapped_key }: KeyFile): Promise<BackupCipher> {
    const key = await passphraseKey(passphrase, Buffer.from(kdf.salt, 'base64'), kdf);
    return new BackupCipher(unseal(key, '', Buffer.from(wrapped_key, 'base64')));
  }

  /** Name of a content; without the key it does not reveal which content it is. */
  nameOf(content: Buffer): string {
    return createHmac('sha256', this.nameKey).update(content).digest('hex');
  }

  /**
   * Encrypts a content under the name of its object, the same one always to the same bytes: a nonce
   * from name and content never comes with two of them. It can be decrypted under this name only.
   */
  async encrypt(name: string, content: Buffer): Promise<Buffer> {
    const small = await compress(content, { level: 1 });
    const isSmaller = small.length < content.length * 0.95;
    const kind = Buffer.from([isSmaller ? DEFLATED : STORED]);
    const body = Buffer.concat([kind, isSmaller ? small : content]);
    const nonce = createHmac('sha256', this.nonceKey)
      .update(`${name}\0`)
      .update(body)
      .digest()
      .subarray(0, NONCE_BYTES);
    return seal(this.encryptionKey, { nonce, name }, body);
  }

  /** Throws DecryptionError unless these are bytes that `encrypt` has returned for this name. */
  async decrypt(name: string, sealed: Buffer): Promise<Buffer> {
    const body = unseal(this.encryptionKey, name, sealed);
    return body[0] === DEFLATED ? decompress(body.subarray(1)) : body.subarray(1);
  }
}

function passphraseKey(
  passphrase: string,
  salt: Buffer,
  { N, r, p }: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>,
): Promise<Buffer> {
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function seal(
  key: Buffer,
  { nonce, name }: { nonce: Buffer; name: string },
  content: Buffer,
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const encrypted = [cipher.update(content), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
}

function unseal(key: Buffer, name: string, sealed: Buffer): Buffer {
  const start = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, start));
    return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
  } catch {
    throw new DecryptionError('wrong passphrase, or damaged data');
  }
}
