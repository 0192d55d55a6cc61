import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn, Repository, type EntityManager } from 'typeorm';
import { Sql } from '../sql/sql.service.js';

/** A setting that an administrator changed; without a row its default holds. */
@Entity('application_settings')
export class ApplicationSetting {
  @PrimaryColumn({
    type: 'text',
    name: 'name',
    primaryKeyConstraintName: 'pk_application_settings',
  })
  name: string;

  /** The value; of a secret its encrypted form, a text. */
  @Column({ type: 'jsonb', name: 'value' })
  value: unknown;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** Serializes changes, so that each is compared with the previous one. */
const LOCK_SQL = 'LOCK TABLE application_settings IN SHARE ROW EXCLUSIVE MODE';

const ROWS_SQL = 'SELECT name, value, updated_at AS "updatedAt" FROM application_settings';

const WRITE_SQL = `
  INSERT INTO application_settings (name, value, updated_at)
  SELECT key, value, $2 FROM jsonb_each($1::jsonb)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`;

/** A setting in the form in which it is stored. */
export type StoredSetting = Pick<ApplicationSetting, 'name' | 'value'>;

/** Owns every statement about instance settings. */
@Injectable()
export class ApplicationSettingsRepository extends Repository<ApplicationSetting> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ApplicationSetting, dataSource.manager);
  }

  /** Returns the settings that differ from their defaults. */
  stored(): Promise<StoredSetting[]> {
    return this.queries.rows<StoredSetting>('SELECT name, value FROM application_settings');
  }

  /** Locks all settings until the transaction ends and returns them. */
  async lockAll(manager: EntityManager): Promise<ApplicationSetting[]> {
    await manager.query(LOCK_SQL);
    return manager.query<ApplicationSetting[]>(ROWS_SQL);
  }

  /** Writes stored values by name; the other settings stay as they are. */
  async write(
    manager: EntityManager,
    values: Readonly<Record<string, unknown>>,
    updatedAt: Date,
  ): Promise<void> {
    await manager.query(WRITE_SQL, [JSON.stringify(values), updatedAt]);
  }
}
