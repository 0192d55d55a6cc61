import { Injectable } from '@nestjs/common';
import { type CryptoKey, type JWK, importJWK } from 'jose';
import { PgNotifyListener } from '../../core/announcements/pg-notify-listener.service.js';
import { Clock } from '../../core/clock.js';
import {
  KEYS_CHANNEL,
  SIGNING_ALGORITHM,
  SigningKeyStore,
  usable,
  type StoredKey,
} from './signing-key-store.service.js';

/** Lifetime of an id_token (API doc, OpenID Connect claims). */
export const ID_TOKEN_SECONDS = 120;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Each key signs this long before the next one takes over. */
const SIGNS_MS = 90 * DAY_MS;
/** Clients can keep the published keys for this long, so a new one is published earlier. */
const PUBLISHED_BEFORE_MS = DAY_MS;
/** The last token that a key signed, and clocks that are slow. */
const PUBLISHED_AFTER_MS = ID_TOKEN_SECONDS * 1_000 + HOUR_MS;

/** Times that decide about the use of a key. */
interface ScheduledKey {
  activeFrom: Date;
}

/** `next` is published before it signs, `former` is published after it signed. */
export type KeyState = 'next' | 'signing' | 'former';

/**
 * The key that signs at `now`; `keys` in order of `activeFrom`. The first one signs even before
 * its time: another process whose clock is ahead may just have made it.
 */
export function signingKeyAt<K extends ScheduledKey>(keys: readonly K[], now: Date): K | undefined {
  return keys.findLast(({ activeFrom }) => activeFrom <= now) ?? keys[0];
}

/** When the key that has to be made now is to sign; null = none has to be made. */
export function dueKeyStart(keys: readonly ScheduledKey[], now: Date): Date | null {
  const newest = keys.at(-1);
  if (newest === undefined) return now;
  const ends = newest.activeFrom.getTime() + SIGNS_MS;
  if (now.getTime() < ends - PUBLISHED_BEFORE_MS) return null;
  return new Date(Math.max(ends, nextKeyStart(now).getTime()));
}

/** When a key that is published from `now` on can sign. */
export function nextKeyStart(now: Date): Date {
  return new Date(now.getTime() + PUBLISHED_BEFORE_MS);
}

/** The keys with which clients can still meet an id_token; `keys` in order of `activeFrom`. */
export function publishedAt<K extends ScheduledKey>(keys: readonly K[], now: Date): K[] {
  return keys.filter((_, position) => {
    const successor = keys[position + 1];
    if (successor === undefined) return true;
    return now.getTime() < successor.activeFrom.getTime() + PUBLISHED_AFTER_MS;
  });
}

/** Returns the state of a published key at `now`. */
export function keyStateAt<K extends ScheduledKey>(
  key: K,
  keys: readonly K[],
  now: Date,
): KeyState {
  if (key === signingKeyAt(keys, now)) return 'signing';
  return key.activeFrom > now ? 'next' : 'former';
}

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
