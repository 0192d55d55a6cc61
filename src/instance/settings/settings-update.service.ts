import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { ValidationFailedError } from '../../core/errors.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { ApplicationSettingsRepository } from '../../core/settings/application-settings.repository.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { SettingDeclaration } from '../../core/settings/setting-types.js';
import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from '../../core/settings/settings.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import type { SettingChanges } from './settings.dto.js';

/** Updates instance settings; the database announces the change to every process. */
@Injectable()
export class SettingsUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: ApplicationSettingsRepository,
    private readonly settings: InstanceSettings,
    private readonly storages: StorageRegistry,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies all changes or none and returns the new settings. Unchanged values are neither written
   * nor audited. Throws 400 for a storage that is not configured, and 412 when any setting
   * has changed since.
   */
  async update(
    changes: SettingChanges,
    actor: AuditActor,
    preconditions: Preconditions = NO_PRECONDITIONS,
  ): Promise<Settings> {
    this.assertStorages(changes.repository_storages_weighted ?? {});
    const after = await this.dataSource.transaction(async (tx) => {
      const rows = await this.rows.lockAll(tx);
      for (const { updatedAt } of rows) preconditions.check(updatedAt);
      return this.apply(tx, { before: this.settings.from(rows), changes }, actor);
    });
    await this.settings.reload();
    return after;
  }

  private async apply(
    tx: EntityManager,
    { before, changes }: { before: Settings; changes: SettingChanges },
    actor: AuditActor,
  ): Promise<Settings> {
    const given = givenValues(changes);
    const after: Settings = { ...before, ...orphanedSecrets(before, given), ...given };
    const changed = SETTING_NAMES.filter((name) => !isDeepStrictEqual(before[name], after[name]));
    if (changed.length === 0) return before;
    const stored = changed.map((name) => [name, this.settings.stored(name, after[name])]);
    await this.rows.write(tx, Object.fromEntries(stored), this.clock.now());
    await this.audit.record(tx, actor, {
      action: 'application_settings_updated',
      targetType: 'ApplicationSettings',
      targetId: null,
      details: Object.fromEntries(
        changed.map((name) => [name, describeChange(name, before[name], after[name])]),
      ),
    });
    return after;
  }

  private assertStorages(weights: Settings['repository_storages_weighted']): void {
    const unknown = Object.keys(weights).filter((name) => !this.storages.has(name));
    if (unknown.length === 0) return;
    const problem = `can't include: ${unknown.join(', ')}`;
    throw new ValidationFailedError({ repository_storages_weighted: [problem] });
  }
}

function givenValues(changes: SettingChanges): Partial<Settings> {
  const given = Object.entries(changes).filter(
    ([name, value]) => value !== null || SETTINGS[name as SettingName].type === 'optional integer',
  );
  return Object.fromEntries(given);
}

/**
 * Clears secrets whose URL changes, unless they are sent as well: otherwise everyone who can change
 * a URL could have an unknown secret sent to themselves.
 */
function orphanedSecrets(before: Settings, given: Partial<Settings>): Partial<Settings> {
  const orphans = SETTING_NAMES.filter((name) => {
    const { sentTo }: SettingDeclaration = SETTINGS[name];
    if (sentTo === undefined) return false;
    const address = sentTo as SettingName;
    return given[address] !== undefined && given[address] !== before[address];
  });
  return Object.fromEntries(orphans.map((name) => [name, '']));
}

function describeChange(name: SettingName, from: unknown, to: unknown): unknown {
  const { secret }: SettingDeclaration = SETTINGS[name];
  return secret === true ? '[changed]' : { from, to };
}
