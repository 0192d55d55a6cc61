import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { OAuthSigningKey } from '../oauth-signing-key.entity.js';

/** Processes make and withdraw keys one after the other. */
const KEYS_LOCK = 7_220_002;

/** Channel that announces changes of the keys to all processes. */
export const KEYS_CHANNEL = 'signing_keys';

/** Owns every statement about signing keys. */
@Injectable()
export class OAuthSigningKeysRepository extends Repository<OAuthSigningKey> {
  constructor(dataSource: DataSource) {
    super(OAuthSigningKey, dataSource.manager);
  }

  /** Returns all keys in the order in which they sign. */
  listAll(manager: EntityManager): Promise<OAuthSigningKey[]> {
    return manager.find(OAuthSigningKey, { order: { activeFrom: 'ASC', kid: 'ASC' } });
  }

  /** Keeps other processes from changing the keys until the transaction ends. */
  async lockAll(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [KEYS_LOCK]);
  }

  /** Announces the change to all processes once the transaction commits. */
  async announce(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_notify($1, $2)', [KEYS_CHANNEL, '']);
  }
}
