import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import {
  type PgNotifyCache,
  PgNotifyListener,
} from '../../core/announcements/pg-notify-listener.service.js';
import type { WebhookPath } from '../../core/http/raw-bodies.js';
import { canBeProjectPath, keyCache } from '../../core/ingest/key-cache.js';
import type { TextCipher } from '../../core/text-cipher.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import type { IntegrationType } from '../alert-integration.entity.js';
import {
  AlertIntegrationsRepository,
  type WebhookIntegration,
  integrationCipher,
} from '../alert-integrations.repository.js';
import type { AlertSource } from '../ingest/alert-source.js';

/** Attributes of an integration for its webhook. */
export interface WebhookTarget {
  source: AlertSource;
  /** The key; null when it cannot be decrypted: then none is right. */
  key: string | null;
  /** Alerts are accepted by both the integration and the project. */
  isOpen: boolean;
}

/** The project's integration is null when the address names none, or its project no longer works. */
export interface FoundWebhook {
  projectId: number;
  target: WebhookTarget | null;
}

/** The project and the integration of an address as they are stored. */
interface StoredIntegration {
  projectId: number;
  isArchived: boolean;
  integration: WebhookIntegration | null;
}

/**
 * Finds out what the address of a webhook stands for: by some queries, or none when the answer is
 * some seconds old. Each change is announced on the channel `alert_integrations`. Only what takes
 * alerts is remembered: other addresses anyone can make up.
 */
@Injectable()
export class IntegrationLookup {
  private readonly cipher: TextCipher;
  private readonly cache: PgNotifyCache<FoundWebhook>;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly integrations: AlertIntegrationsRepository,
    listener: PgNotifyListener,
    @Inject(CONFIG) config: Config,
  ) {
    this.cipher = integrationCipher(config);
    this.cache = keyCache(listener, 'alert_integrations', ({ target }) => target?.isOpen === true);
  }

  /** Returns what `find` returned a moment ago for a webhook that takes alerts, else undefined. */
  findCached(path: WebhookPath): FoundWebhook | undefined {
    return this.cache.peek(nameOf(path));
  }

  /** Returns the integration of the path; null when the project does not exist. */
  find(path: WebhookPath): Promise<FoundWebhook | null> {
    return this.cache.get(nameOf(path), async () => {
      const stored = await this.read(path);
      return stored && { projectId: stored.projectId, target: this.targetOf(stored) };
    });
  }

  /**
   * Returns null when there is no such project. `prometheus` before `alerts` can also be the name
   * of the project: then the address is the short one of a generic integration.
   */
  private async read(path: WebhookPath): Promise<StoredIntegration | null> {
    const { project, isMonitoring, identifier } = path;
    const type = isMonitoring ? 'prometheus' : 'http';
    const found = await this.readInProject(project, { identifier, type });
    if (found !== null || !isMonitoring) return found;
    return this.readInProject(`${project}/prometheus`, { identifier, type: 'http' });
  }

  private async readInProject(
    path: string,
    { identifier, type }: { identifier: string | null; type: IntegrationType },
  ): Promise<StoredIntegration | null> {
    if (!canBeProjectPath(path)) return null;
    const found = await this.projects.findByIdOrPath({ path }, null);
    if (found === null) return null;
    const { id: projectId, archived: isArchived } = found.project;
    const integration =
      identifier === null
        ? await this.integrations.findOldestActive(projectId, type)
        : await this.integrations.findByIdentifier(projectId, identifier);
    return { projectId, isArchived, integration };
  }

  /**
   * Returns true if a refused sender can know that the project exists: everyone can see it, or the
   * key is that of any of its integrations. Not cached, since a project can have become private a
   * moment ago.
   */
  async mayRevealProject(projectId: number, given: string | null): Promise<boolean> {
    const row = await this.integrations.findDisclosure(projectId);
    if (row === null || row.isPublic) return row !== null;
    return given !== null && this.isOneOf(row.encryptedKeys, given);
  }

  /** Compares with all of them, so that the duration does not reveal the right one. */
  private isOneOf(encryptedKeys: string[], given: string): boolean {
    const right = encryptedKeys.filter((encrypted) => {
      const key = this.cipher.decrypt(encrypted);
      return key !== null && isSameKey(given, key);
    });
    return right.length > 0;
  }

  /** Forgets everything before the announcement arrives: this process just changed something. */
  forget(): void {
    this.cache.clear();
  }

  private targetOf({
    projectId,
    isArchived,
    integration,
  }: StoredIntegration): FoundWebhook['target'] {
    if (integration === null) return null;
    const { id, type, name, mappings, resolvedWhen, active, encryptedToken } = integration;
    return {
      source: { integrationId: id, projectId, name, type, mappings, resolvedWhen },
      key: this.cipher.decrypt(encryptedToken),
      isOpen: active && !isArchived,
    };
  }
}

function nameOf({ project, isMonitoring, identifier }: WebhookPath): string {
  return `${isMonitoring ? 'm' : 'h'}:${identifier ?? ''}:${project}`;
}

/** Returns true for the key of an integration that accepts alerts. */
export function isOpenedBy({ key, isOpen }: WebhookTarget, given: string | null): boolean {
  return isOpen && key !== null && given !== null && isSameKey(given, key);
}

/** Compares in constant time. */
export function isSameKey(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}
