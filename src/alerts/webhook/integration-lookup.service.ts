import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { PgNotifyListener } from '../../core/announcements/pg-notify-listener.service.js';
import type { WebhookPath } from '../../core/http/webhook-path.js';
import type { SecretBox } from '../../core/settings/secret-box.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import type { IntegrationType } from '../alert-integration.entity.js';
import {
  AlertIntegrationsRepository,
  type WebhookIntegration,
} from '../alert-integrations.repository.js';
import type { AlertSource } from '../ingest/alert-source.js';
import { integrationBox, isSameKey } from '../integration-keys.js';

/** Lifetime of a cache entry, which bounds staleness when a change notification is lost. */
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 5_000;

/** Paths of projects have no other characters; anything else is not looked up. */
const PROJECT_PATH = /^[a-zA-Z0-9_.-]+(?:\/[a-zA-Z0-9_.-]+)+$/;
const MAX_SEGMENTS = 25;

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

interface Entry {
  found: FoundWebhook;
  until: number;
}

/**
 * Finds out what the address of a webhook stands for: by some queries, or none when the answer is
 * some seconds old. Each change is announced on the channel `alert_integrations`. Only what takes
 * alerts is remembered: other addresses anyone can make up.
 */
@Injectable()
export class IntegrationLookup {
  private readonly box: SecretBox;
  private readonly entries = new Map<string, Entry>();
  /** Grows with every announcement: an answer read before one must not be stored after it. */
  private epoch = 0;
  private isListening = false;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly integrations: AlertIntegrationsRepository,
    announcements: PgNotifyListener,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = integrationBox(config);
    announcements.subscribe('alert_integrations', {
      onMessage: () => this.forget(),
      onConnect: () => this.listen(true),
      onDisconnect: () => this.listen(false),
    });
  }

  /** Returns the integration of the path; null when the project does not exist. */
  async find(path: WebhookPath): Promise<FoundWebhook | null> {
    const name = `${path.isMonitoring ? 'm' : 'h'}:${path.identifier ?? ''}:${path.project}`;
    const known = this.entries.get(name);
    if (known !== undefined && known.until > Date.now()) return known.found;
    const { epoch } = this;
    const stored = await this.read(path);
    if (stored === null) return null;
    const found = { projectId: stored.projectId, target: this.targetOf(stored) };
    if (found.target?.isOpen && this.isListening && epoch === this.epoch) {
      this.remember(name, found);
    }
    return found;
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
    if (!PROJECT_PATH.test(path) || path.split('/').length > MAX_SEGMENTS) return null;
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
    return given !== null && this.isOneOf(row.sealedKeys, given);
  }

  /** Compares with all of them, so that the duration does not reveal the right one. */
  private isOneOf(sealedKeys: string[], given: string): boolean {
    const right = sealedKeys.filter((sealed) => {
      const key = this.box.open(sealed);
      return key !== null && isSameKey(given, key);
    });
    return right.length > 0;
  }

  /** Forgets everything before the announcement arrives: this process just changed something. */
  forget(): void {
    this.epoch += 1;
    this.entries.clear();
  }

  private listen(isListening: boolean): void {
    this.isListening = isListening;
    this.forget();
  }

  private remember(name: string, found: FoundWebhook): void {
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(name, { found, until: Date.now() + LIFETIME_MS });
  }

  private targetOf({
    projectId,
    isArchived,
    integration,
  }: StoredIntegration): FoundWebhook['target'] {
    if (integration === null) return null;
    const { id, type, name, mappings, resolvedWhen, active, sealedToken } = integration;
    return {
      source: { integrationId: id, projectId, name, type, mappings, resolvedWhen },
      key: this.box.open(sealedToken),
      isOpen: active && !isArchived,
    };
  }
}
