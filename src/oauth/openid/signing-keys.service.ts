import { Injectable } from '@nestjs/common';
import { type CryptoKey, type JWK, importJWK } from 'jose';
import { PgNotifyListener } from '../../core/announcements/pg-notify-listener.service.js';
import { Clock } from '../../core/clock.js';
import { KEYS_CHANNEL } from './oauth-signing-keys.repository.js';
import { dueKeyStart, publishedAt, signingKeyAt } from './signing-key-schedule.js';
import {
  SigningKeyStore,
  usable,
  type StoredKey,
  SIGNING_ALGORITHM,
} from './signing-key-store.service.js';

/** Lifetime of the cached keys, which bounds staleness when a change notification is lost. */
const LIFETIME_MS = 60_000;

/** The key that signs now. */
interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
}

/**
 * Keys, cached per process. They are created on demand when they are due, so that no timer is
 * needed.
 */
@Injectable()
export class SigningKeys {
  private known: { keys: readonly StoredKey[]; until: number } | null = null;
  /** Grows with every announcement: what was read before one must not be kept after it. */
  private epoch = 0;
  private reading: Promise<readonly StoredKey[]> | null = null;
  private imported: { kid: string; privateKey: Promise<CryptoKey> } | null = null;

  constructor(
    private readonly store: SigningKeyStore,
    private readonly clock: Clock,
    announcements: PgNotifyListener,
  ) {
    const forget = (): void => this.forget();
    announcements.subscribe(KEYS_CHANNEL, {
      onMessage: forget,
      onConnect: forget,
      onDisconnect: forget,
    });
  }

  /** The key for a token that is issued now. */
  async current(): Promise<SigningKey> {
    const keys = usable(await this.all());
    const key = signingKeyAt(keys, this.clock.now());
    if (key === undefined) throw new Error('there is no key to sign with');
    return { kid: key.kid, privateKey: await this.privateKeyOf(key) };
  }

  /** The keys with which clients check tokens, the coming one among them. */
  async published(): Promise<readonly StoredKey[]> {
    return publishedAt(await this.all(), this.clock.now());
  }

  private async all(): Promise<readonly StoredKey[]> {
    const { known } = this;
    const isFresh = known !== null && known.until > Date.now() && !this.isOneDue(known.keys);
    if (isFresh) return known.keys;
    // Concurrent calls share one read.
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async read(): Promise<readonly StoredKey[]> {
    const { epoch } = this;
    const stored = await this.store.read();
    const keys = this.isOneDue(stored) ? await this.store.renew(this.clock.now()) : stored;
    if (epoch === this.epoch) this.known = { keys, until: Date.now() + LIFETIME_MS };
    return keys;
  }

  private isOneDue(keys: readonly StoredKey[]): boolean {
    return dueKeyStart(usable(keys), this.clock.now()) !== null;
  }

  private privateKeyOf({ kid, privateJwk }: { kid: string; privateJwk: JWK }): Promise<CryptoKey> {
    if (this.imported?.kid !== kid) {
      this.imported = { kid, privateKey: importPrivateKey(privateJwk) };
    }
    return this.imported.privateKey;
  }

  private forget(): void {
    this.epoch += 1;
    this.known = null;
    // The pending read can be older than the announced change.
    this.reading = null;
  }
}

async function importPrivateKey(privateJwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(privateJwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key is no key pair');
  return key;
}
