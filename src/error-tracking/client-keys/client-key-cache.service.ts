import { Injectable } from '@nestjs/common';
import {
  type PgNotifyCache,
  PgNotifyListener,
} from '../../core/announcements/pg-notify-listener.service.js';
import { canBeProjectPath, keyCache } from '../../core/ingest/key-cache.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import type { ErrorSource } from '../ingest/grouped-events.js';
import { ClientKeysRepository, type SourceRow } from './client-keys.repository.js';
import { looksLikeKey } from './dsn.js';

const DIGITS = /^\d+$/;

/**
 * Result of looking up the project and client key of a DSN. `closed` is a project that accepts no
 * errors, or none with this key; `no key` is a project that needs a valid key. A project named by
 * its path without a valid key counts as missing.
 */
export type SourceLookup =
  { kind: 'open'; source: ErrorSource } | { kind: 'closed' | 'no key' | 'no project' };

/**
 * Finds out what a client key stands for: by a query, or none when the answer is some seconds old.
 * Each change of settings and keys is announced on the channel `error_sources`. Only good keys are
 * remembered: others anyone can make up.
 */
@Injectable()
export class ClientKeyCache {
  private readonly cache: PgNotifyCache<SourceLookup>;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly keys: ClientKeysRepository,
    private readonly settings: InstanceSettings,
    listener: PgNotifyListener,
  ) {
    this.cache = keyCache(listener, 'error_sources', ({ kind }) => kind === 'open');
  }

  /** Returns what a valid key opened a moment ago; null when that has to be looked up. */
  findCached(project: string, publicKey: string): ErrorSource | null {
    if (!this.isOffered) return null;
    const found = this.cache.peek(nameOf(project, publicKey));
    return found?.kind === 'open' ? found.source : null;
  }

  /**
   * `project` is an id or a full path, `publicKey` can be empty. Never throws for what was sent.
   */
  async find(project: string, publicKey: string): Promise<SourceLookup> {
    const read = (): Promise<SourceLookup> => this.lookUp(project, publicKey);
    const name = nameOf(project, publicKey);
    // Disabling the feature applies immediately, also to cached keys.
    const found = this.isOffered ? await this.cache.get(name, read) : await read();
    return found ?? { kind: 'no project' };
  }

  /** Returns true if the key was valid here recently. */
  isCached(project: string, publicKey: string): boolean {
    return this.cache.has(nameOf(project, publicKey));
  }

  /** Returns the source for events without a key, such as test events; null if tracking is off. */
  async ofProject(projectId: number): Promise<ErrorSource | null> {
    const row = await this.keys.findSource(projectId, '');
    return row !== null && this.isOpen(row) ? this.sourceOf(row) : null;
  }

  /** Forgets everything before the announcement arrives: this process just changed something. */
  forget(): void {
    this.cache.clear();
  }

  private async lookUp(project: string, publicKey: string): Promise<SourceLookup> {
    const found = this.judge(await this.read(project, publicKey), publicKey);
    return found.kind === 'open' || DIGITS.test(project) ? found : { kind: 'no project' };
  }

  /** Returns null without the project. A text that cannot be a key is none of its keys. */
  private async read(project: string, publicKey: string): Promise<SourceRow | null> {
    const projectId = await this.idOf(project);
    if (projectId === null) return null;
    return this.keys.findSource(projectId, looksLikeKey(publicKey) ? publicKey : '');
  }

  private async idOf(project: string): Promise<number | null> {
    if (DIGITS.test(project)) {
      const id = Number(project);
      return Number.isSafeInteger(id) ? id : null;
    }
    if (!canBeProjectPath(project)) return null;
    const found = await this.projects.findByIdOrPath({ path: project }, null);
    return found?.project.id ?? null;
  }

  private get isOffered(): boolean {
    return this.settings.values.error_tracking_integrated_enabled;
  }

  private judge(row: SourceRow | null, publicKey: string): SourceLookup {
    if (row === null) return { kind: 'no project' };
    if (!this.isOpen(row)) return { kind: 'closed' };
    if (publicKey === '') return { kind: 'no key' };
    if (row.keyId === null) return { kind: 'closed' };
    return { kind: 'open', source: this.sourceOf(row) };
  }

  private isOpen({ isOn, isArchived }: SourceRow): boolean {
    return this.isOffered && isOn && !isArchived;
  }

  private sourceOf({ isArchived: _archived, isOn: _on, ...row }: SourceRow): ErrorSource {
    const { error_tracking_retention_days: usual } = this.settings.values;
    return { ...row, retentionDays: row.retentionDays ?? usual };
  }
}

function nameOf(project: string, publicKey: string): string {
  return `${publicKey} ${project}`;
}
