import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Sql } from '../../core/sql/sql.service.js';

/** The rows by which the janitor finds what lies in the trash of the storages. */
@Injectable()
export class TrashRows {
  constructor(
    private readonly sql: Sql,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Adding the same path again changes nothing. */
  async add(storage: string, path: string, reason: string): Promise<void> {
    await this.sql.rows(
      `INSERT INTO repository_trash (storage, path, reason, delete_after)
       VALUES ($1, $2, $3, now() + make_interval(hours => $4))
       ON CONFLICT (storage, path) DO NOTHING`,
      [storage, path, reason, this.config.trashHours],
    );
  }

  /** Of the given paths in a storage's trash, those without a row. */
  async unknown(storage: string, paths: readonly string[]): Promise<string[]> {
    const rows = await this.sql.rows<{ path: string }>(
      `SELECT found.path FROM unnest($2::text[]) AS found (path)
       WHERE NOT EXISTS (
         SELECT 1 FROM repository_trash t WHERE t.storage = $1 AND t.path = found.path)`,
      [storage, paths],
    );
    return rows.map(({ path }) => path);
  }
}
