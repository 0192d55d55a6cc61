import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, changesBetween } from '../../core/audit/audit.service.js';
import type { Preconditions } from '../../core/preconditions.js';
import { onPrimary } from '../../core/sql/replica/request-reads.js';
import { TextCipher } from '../../core/text-cipher.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { ClientKeys } from '../client-keys/client-keys.service.js';
import { ClientKeyCache } from '../client-keys/client-key-cache.service.js';
import { ErrorTrackingSetting } from '../error-tracking-setting.entity.js';
import {
  assertTrackerIsKnown,
  checkedValues,
  UNTRACKED,
  type ErrorTrackingValues,
} from './error-tracking-values.js';

/** Placeholder of forms for a stored token. */
export const TOKEN_MASK = '*****';

/** Encrypts the tokens of external trackers. */
export function trackerTokenCipher({ secretKey }: Pick<Config, 'secretKey'>): TextCipher {
  return new TextCipher(secretKey, 'error trackers');
}

/** Returns true for the placeholder, which keeps the stored token. */
function isMask(token: string): boolean {
  return /^\*+$/.test(token);
}

/** The project whose settings are changed, and what the change is tied to. */
interface ChosenProject {
  id: number;
  preconditions?: Preconditions;
}

interface SettingsChange {
  projectId: number;
  /** null the first time. */
  before: ErrorTrackingSetting | null;
  given: Partial<ErrorTrackingValues>;
}

type Stored = Omit<ErrorTrackingSetting, 'projectId' | 'updatedAt'>;

/** Reads and changes the error tracking settings of projects; the caller checks permissions. */
@Injectable()
export class ErrorTrackingSettings {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsRepository,
    private readonly keys: ClientKeys,
    private readonly sources: ClientKeyCache,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** null when the project never chose anything. */
  read(projectId: number): Promise<ErrorTrackingSetting | null> {
    const { manager } = this.dataSource;
    return onPrimary(() => manager.findOneBy(ErrorTrackingSetting, { projectId }));
  }

  /**
   * Changes what is given and answers everything; the first time it makes the row. Where errors are
   * to be collected here and no key is active, one is made. Throws 400 with messages per attribute,
   * 403 for an archived project, 404 for one that is being deleted, and 412.
   */
  async save(
    project: ChosenProject,
    values: Partial<ErrorTrackingValues>,
    auth: AuthContext,
  ): Promise<ErrorTrackingSetting> {
    const given = checkedValues(values);
    const projectId = project.id;
    const saved = await this.dataSource.transaction(async (tx) => {
      await this.projects.lockForChange(tx, projectId);
      const before = await tx.findOneBy(ErrorTrackingSetting, { projectId });
      if (before !== null) project.preconditions?.check(before.updatedAt);
      await this.write(tx, { projectId, before, given }, auth);
      return tx.findOneByOrFail(ErrorTrackingSetting, { projectId });
    });
    this.sources.forget();
    return saved;
  }

  /** Settings that are as they are wanted leave no entry in the audit log. */
  private async write(
    tx: EntityManager,
    { projectId, before, given }: SettingsChange,
    auth: AuthContext,
  ): Promise<void> {
    const old = before === null ? UNTRACKED : storedOf(before);
    const after = this.changed(old, given);
    assertTrackerIsKnown(after);
    const details = detailsOf(old, after);
    if (before === null || Object.keys(details).length > 0) {
      const row = { ...after, projectId, updatedAt: () => 'now()' };
      await tx.upsert(ErrorTrackingSetting, row, ['projectId']);
      const action = `error_tracking_settings_${before === null ? 'created' : 'updated'}`;
      await this.audit.record(tx, auth, {
        action,
        targetType: 'Project',
        targetId: projectId,
        details,
      });
    }
    if (after.enabled && after.integrated) await this.keys.ensureActive(tx, projectId, auth);
  }

  /** A token belongs to its API URL; a changed URL clears it. */
  private changed(old: Stored, { token, ...given }: Partial<ErrorTrackingValues>): Stored {
    const { apiUrl = old.apiUrl, ...rest } = given;
    const kept = apiUrl === old.apiUrl ? old.encryptedToken : null;
    const plain = { ...old, ...rest, apiUrl };
    if (token === undefined || (token !== null && isMask(token))) {
      return { ...plain, encryptedToken: kept };
    }
    const encryptedToken = token === null ? null : trackerTokenCipher(this.config).encrypt(token);
    return { ...plain, encryptedToken };
  }
}

function storedOf({
  projectId: _project,
  updatedAt: _time,
  ...stored
}: ErrorTrackingSetting): Stored {
  return stored;
}

/** Of the token only the change is recorded. */
function detailsOf(old: Stored, after: Stored): Record<string, unknown> {
  const isSameToken = old.encryptedToken === after.encryptedToken;
  return {
    ...changesBetween(audited(old), audited(after)),
    ...(!isSameToken && { token: after.encryptedToken === null ? 'cleared' : 'changed' }),
  };
}

function audited({ enabled: active, encryptedToken: _token, ...attributes }: Stored): object {
  return { active, ...attributes };
}
