import { Inject, Injectable, Logger } from '@nestjs/common';
import type { JWK } from 'jose';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { AuditLog, SYSTEM_ACTOR, type AuditEntry } from '../../core/audit/audit.service.js';
import { SecretBox } from '../../core/settings/secret-box.js';
import { OAuthSigningKey } from '../oauth-signing-key.entity.js';
import { OAuthSigningKeysRepository } from './oauth-signing-keys.repository.js';
import { generateSigningKeyPair } from './signing-key-pair.js';
import { dueKeyStart, nextKeyStart, publishedAt } from './signing-key-schedule.js';

/** A key as a process works with it. */
export interface StoredKey {
  kid: string;
  publicJwk: JWK;
  /** null = sealed under another SECRET_KEY. */
  privateJwk: JWK | null;
  activeFrom: Date;
  createdAt: Date;
}

/** The keys in the database, which all processes share; private halves are sealed. */
@Injectable()
export class SigningKeyStore {
  private readonly logger = new Logger(SigningKeyStore.name);
  private readonly box: SecretBox;

  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: OAuthSigningKeysRepository,
    private readonly audit: AuditLog,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = new SecretBox(config.secretKey, 'signing keys');
  }

  /** All keys in order of the time from which they sign. */
  read(): Promise<StoredKey[]> {
    return this.readFrom(this.dataSource.manager);
  }

  /** Makes the key that is due at `now`, unless another process has just made it. */
  renew(now: Date): Promise<StoredKey[]> {
    return this.alone(async (tx) => {
      const start = dueKeyStart(usable(await this.readFrom(tx)), now);
      if (start !== null) await this.add(tx, start);
    }, now);
  }

  /** Makes the next key before its time; a next one that waits already is left as it is. */
  advance(now: Date): Promise<StoredKey[]> {
    return this.alone(async (tx) => {
      const keys = usable(await this.readFrom(tx));
      if (!keys.some(({ activeFrom }) => activeFrom > now)) await this.add(tx, nextKeyStart(now));
    }, now);
  }

  /** Revokes all keys after a compromise, and creates one that signs immediately. */
  replaceAll(now: Date): Promise<StoredKey[]> {
    return this.alone(async (tx) => {
      await this.withdraw(tx, await this.readFrom(tx));
      await this.add(tx, now);
    }, now);
  }

  /** The keys after `work`; those whose tokens are all past are gone. */
  private alone(work: (tx: EntityManager) => Promise<void>, now: Date): Promise<StoredKey[]> {
    return this.dataSource.transaction(async (tx) => {
      await this.keys.lockAll(tx);
      await work(tx);
      const keys = await this.readFrom(tx);
      const published = publishedAt(keys, now);
      await this.withdraw(
        tx,
        keys.filter((key) => !published.includes(key)),
      );
      await this.keys.announce(tx);
      return published;
    });
  }

  private async add(tx: EntityManager, activeFrom: Date): Promise<void> {
    const { kid, publicJwk, privateJwk } = await generateSigningKeyPair();
    await tx.insert(OAuthSigningKey, {
      kid,
      publicJwk: { ...publicJwk },
      sealedPrivateKey: this.box.seal(JSON.stringify(privateJwk)),
      activeFrom,
    });
    const details = { active_from: activeFrom.toISOString() };
    await this.audit.record(tx, SYSTEM_ACTOR, entryOf('signing_key_created', kid, details));
  }

  private async withdraw(tx: EntityManager, keys: readonly StoredKey[]): Promise<void> {
    if (keys.length === 0) return;
    const kids = keys.map(({ kid }) => kid);
    await tx.delete(OAuthSigningKey, kids);
    const entries = kids.map((kid) => entryOf('signing_key_withdrawn', kid));
    await this.audit.recordAll(tx, SYSTEM_ACTOR, entries);
  }

  private async readFrom(tx: EntityManager): Promise<StoredKey[]> {
    const rows = await this.keys.listAll(tx);
    return rows.map(({ kid, publicJwk, sealedPrivateKey, activeFrom, createdAt }) => {
      const privateJwk = this.opened(kid, sealedPrivateKey);
      return { kid, publicJwk, privateJwk, activeFrom, createdAt };
    });
  }

  private opened(kid: string, sealed: string): JWK | null {
    const text = this.box.open(sealed);
    if (text !== null) return JSON.parse(text) as JWK;
    this.logger.error(`The signing key ${kid} cannot be read with this SECRET_KEY`);
    return null;
  }
}

/** The keys that this instance can sign with. */
export function usable(keys: readonly StoredKey[]): (StoredKey & { privateJwk: JWK })[] {
  return keys.filter((key): key is StoredKey & { privateJwk: JWK } => key.privateJwk !== null);
}

function entryOf(action: string, kid: string, details?: Record<string, unknown>): AuditEntry {
  return { action, targetType: 'OAuthSigningKey', targetId: null, targetName: kid, details };
}
