import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { StorageRegistry } from './storage-registry.js';

/** Readies the storages when a process starts; see StorageRegistry.prepare for what it refuses. */
@Injectable()
export class StoragePreparation implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.storages.prepare((name) => this.isInUse(name));
  }

  private async isInUse(storage: string): Promise<boolean> {
    const row = await this.sql.row<{ isInUse: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM projects WHERE repository_storage = $1)
           OR EXISTS (SELECT 1 FROM snippets WHERE repository_storage = $1)
           OR EXISTS (SELECT 1 FROM groups WHERE repository_storage = $1) AS "isInUse"`,
      [storage],
    );
    return row?.isInUse === true;
  }
}
