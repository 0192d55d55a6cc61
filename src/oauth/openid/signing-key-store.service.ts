import { Inject, Injectable, Logger } from '@nestjs/common';
import { type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import {
  type AuditActor,
  type AuditEntry,
  AuditLog,
  SYSTEM_ACTOR,
} from '../../core/audit/audit.service.js';
import { TextCipher } from '../../core/text-cipher.js';
import { OAuthSigningKey, OAuthSigningKeysRepository } from './oauth-signing-keys.repository.js';
import { dueKeyStart, nextKeyStart, publishedAt } from './signing-key-schedule.js';

export const SIGNING_ALGORITHM = 'RS256';

/** Both halves of a new key; `kid` is its thumbprint (RFC 7638). */
interface SigningKeyPair {
  kid: string;
  publicJwk: JWK;
  privateJwk: JWK;
}

/** A stored key with its decrypted private half. */
export interface StoredKey {
  kid: string;
  publicJwk: JWK;
  /** null = encrypted with another SECRET_KEY. */
  privateJwk: JWK | null;
  activeFrom: Date;
  createdAt: Date;
}

/** The keys in the database, which all processes share; private halves are encrypted. */
@Injectable()
export class SigningKeyStore {
  private readonly logger = new Logger(SigningKeyStore.name);
  private readonly cipher: TextCipher;

  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: OAuthSigningKeysRepository,
    private readonly audit: AuditLog,
    @Inject(CONFIG) config: Config,
  ) {
    this.cipher = new TextCipher(config.secretKey, 'signing keys');
  }

  /** Returns all keys in the order in which they sign. */
  read(): Promise<StoredKey[]> {
    return this.readFrom(this.dataSource.manager);
  }

  /** Creates the key that is due at `now`, unless another process has just created it. */
  renew(now: Date): Promise<StoredKey[]> {
    return this.alone(async (tx) => {
      const start = dueKeyStart(usable(await this.readFrom(tx)), now);
      if (start !== null) await this.add(tx, start, SYSTEM_ACTOR);
    }, now);
  }

  /** Creates the next key early, unless there is one already. */
  advance(now: Date, actor: AuditActor): Promise<StoredKey[]> {
    return this.alone(async (tx) => {
      const keys = usable(await this.readFrom(tx));
      const hasNext = keys.some(({ activeFrom }) => activeFrom > now);
      if (!hasNext) await this.add(tx, nextKeyStart(now), actor);
    }, now);
  }

  /** Revokes all keys after a compromise, and creates one that signs immediately. */
  replaceAll(now: Date, actor: AuditActor): Promise<StoredKey[]> {
    return this.alone(async (tx) => {
      await this.withdraw(tx, await this.readFrom(tx), actor);
      await this.add(tx, now, actor);
    }, now);
  }

  /** Returns the published keys after `work`, and deletes those whose tokens have all expired. */
  private alone(work: (tx: EntityManager) => Promise<void>, now: Date): Promise<StoredKey[]> {
    return this.dataSource.transaction(async (tx) => {
      await this.keys.lockAll(tx);
      await work(tx);
      const keys = await this.readFrom(tx);
      const published = publishedAt(keys, now);
      await this.withdraw(
        tx,
        keys.filter((key) => !published.includes(key)),
        SYSTEM_ACTOR,
      );
      await this.keys.announce(tx);
      return published;
    });
  }

  private async add(tx: EntityManager, activeFrom: Date, actor: AuditActor): Promise<void> {
    const { kid, publicJwk, privateJwk } = await generateSigningKeyPair();
    await tx.insert(OAuthSigningKey, {
      kid,
      publicJwk: { ...publicJwk },
      encryptedPrivateKey: this.cipher.encrypt(JSON.stringify(privateJwk)),
      activeFrom,
    });
    const details = { active_from: activeFrom.toISOString() };
    await this.audit.record(tx, actor, entryOf('signing_key_created', kid, details));
  }

  private async withdraw(
    tx: EntityManager,
    keys: readonly StoredKey[],
    actor: AuditActor,
  ): Promise<void> {
    if (keys.length === 0) return;
    const kids = keys.map(({ kid }) => kid);
    await tx.delete(OAuthSigningKey, kids);
    const entries = kids.map((kid) => entryOf('signing_key_withdrawn', kid));
    await this.audit.recordAll(tx, actor, entries);
  }

  private async readFrom(tx: EntityManager): Promise<StoredKey[]> {
    const rows = await this.keys.listAll(tx);
    return rows.map(({ kid, publicJwk, encryptedPrivateKey, activeFrom, createdAt }) => {
      const privateJwk = this.decrypt(kid, encryptedPrivateKey);
      return { kid, publicJwk, privateJwk, activeFrom, createdAt };
    });
  }

  private decrypt(kid: string, encrypted: string): JWK | null {
    const text = this.cipher.decrypt(encrypted);
    if (text !== null) return JSON.parse(text) as JWK;
    this.logger.error(`The signing key ${kid} cannot be read with this SECRET_KEY`);
    return null;
  }
}

/** Generates an RSA key of 2048 bits, off the event loop. */
async function generateSigningKeyPair(): Promise<SigningKeyPair> {
  const options = { modulusLength: 2048, extractable: true };
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, options);
  const publicJwk = await exportJWK(publicKey);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    privateJwk: await exportJWK(privateKey),
  };
}

/** Returns the keys that this instance can sign with. */
export function usable(keys: readonly StoredKey[]): (StoredKey & { privateJwk: JWK })[] {
  return keys.filter((key): key is StoredKey & { privateJwk: JWK } => key.privateJwk !== null);
}

function entryOf(action: string, kid: string, details?: Record<string, unknown>): AuditEntry {
  return { action, targetType: 'OAuthSigningKey', targetId: null, targetName: kid, details };
}
