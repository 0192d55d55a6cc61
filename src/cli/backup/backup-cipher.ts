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
/** Bounds of what a store's file can make this process compute. */
const MAX_SCRYPT_N = 2 ** 20;

const [STORED, DEFLATED] = [0, 1];
const compress = promisify(deflate);
const decompress = promisify(inflate);

/** The wrapped key of a store, as its file has it. */
export interface KeyFile {
  version: 1;
  kdf: { name: 'scrypt'; salt: string; N: number; r: number; p: number };
  /** The random key of the store, encrypted by the passphrase's. */
  wrapped_key: string;
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
  static async create(passphrase: string): Promise<{ cipher: BackupCipher; file: KeyFile }> {
    const key = randomBytes(KEY_BYTES);
    const salt = randomBytes(16);
    const wrapped = seal(await passphraseKey(passphrase, salt, SCRYPT), randomBytes(12), key);
    const kdf = { name: 'scrypt' as const, salt: salt.toString('base64'), ...SCRYPT };
    const file: KeyFile = { version: 1, kdf, wrapped_key: wrapped.toString('base64') };
    return { cipher: new BackupCipher(key), file };
  }

  /** Throws DecryptionError for a wrong passphrase. */
  static async open(passphrase: string, { kdf, wrapped_key }: KeyFile): Promise<BackupCipher> {
    if (kdf.N > MAX_SCRYPT_N) throw new DecryptionError('the key file is damaged');
    const key = await passphraseKey(passphrase, Buffer.from(kdf.salt, 'base64'), kdf);
    return new BackupCipher(unseal(key, Buffer.from(wrapped_key, 'base64')));
  }

  /** Name of a content; without the key it does not reveal which content it is. */
  nameOf(content: Buffer): string {
    return createHmac('sha256', this.nameKey).update(content).digest('hex');
  }

  /**
   * Encrypts a content, the same one always to the same bytes: a nonce from the content itself never
   * comes with two contents.
   */
  async encrypt(content: Buffer): Promise<Buffer> {
    const small = await compress(content, { level: 1 });
    const isSmaller = small.length < content.length * 0.95;
    const kind = Buffer.from([isSmaller ? DEFLATED : STORED]);
    const body = Buffer.concat([kind, isSmaller ? small : content]);
    const nonce = createHmac('sha256', this.nonceKey)
      .update(body)
      .digest()
      .subarray(0, NONCE_BYTES);
    return seal(this.encryptionKey, nonce, body);
  }

  /** Throws DecryptionError unless these are bytes that `encrypt` has returned. */
  async decrypt(sealed: Buffer): Promise<Buffer> {
    const body = unseal(this.encryptionKey, sealed);
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

function seal(key: Buffer, nonce: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const encrypted = [cipher.update(content), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
}

function unseal(key: Buffer, sealed: Buffer): Buffer {
  const start = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, start));
    return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
  } catch {
    throw new DecryptionError('wrong passphrase, or damaged data');
  }
}
