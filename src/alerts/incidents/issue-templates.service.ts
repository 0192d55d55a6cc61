import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { runGit } from '../../git/git-process.js';
import { MEMORY } from '../../git/memory-limit.js';
import { BRANCH_PREFIX, isValidBranchName } from '../../git/reference-name.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { AlertSettingsRepository, type WantedTemplate } from '../alert-settings.repository.js';

/** Where a repository keeps its issue templates; the first one that is there counts. */
const FOLDERS = ['.gitlab/issue_templates', '.guildhall/issue_templates'];

const MAX_BYTES = 262_144;
const PATIENCE_MS = 5_000;

/** A template is read again after so long: a storm of alerts would read it without end. */
const KEPT_MS = 10_000;
const MAX_KEPT = 1_000;

/** Reads the issue templates with which projects end their incidents. */
@Injectable()
export class IssueTemplates {
  private readonly logger = new Logger(IssueTemplates.name);
  private readonly recent: LRUCache<string, Promise<string | null>>;

  constructor(
    private readonly settings: AlertSettingsRepository,
    private readonly storages: StorageRegistry,
    clock: Clock,
  ) {
    const perf = { now: (): number => clock.now().getTime() };
    this.recent = new LRUCache({ max: MAX_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf });
  }

  /**
   * Returns the templates by project ID. A template that is missing, too large or unreadable is
   * logged and left out, as the incident matters more.
   */
  async ofAlerts(
    tx: EntityManager,
    alertIds: readonly number[],
  ): Promise<ReadonlyMap<number, string | null>> {
    const wanted = await this.settings.listTemplates(tx, alertIds);
    const texts = wanted.map(async (one) => [one.projectId, await this.find(one)] as const);
    return new Map(await Promise.all(texts));
  }

  private find(wanted: WantedTemplate): Promise<string | null> {
    const name = JSON.stringify(wanted);
    const known = this.recent.get(name);
    if (known !== undefined) return known;
    const text = this.read(wanted).catch((error: unknown) => {
      this.logger.warn(`No issue template for project ${wanted.projectId}: ${String(error)}`);
      return null;
    });
    this.recent.set(name, text);
    return text;
  }

  private async read({ projectId, storage, branch, key }: WantedTemplate): Promise<string | null> {
    if (!isTemplateKey(key) || !isValidBranchName(branch)) return null;
    const cwd = this.storages.absolutePath({ storage, kind: 'project', containerId: projectId });
    for (const folder of FOLDERS) {
      const blob = `${BRANCH_PREFIX}${branch}:${folder}/${key}.md`;
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const limits = { maxOutput: MAX_BYTES, memory: MEMORY.reading, signal };
      const { code, stdout } = await runGit(['cat-file', 'blob', blob], { cwd, ...limits });
      // PostgreSQL keeps no NUL in texts.
      if (code === 0) return stdout.toString('utf8').replaceAll('\0', '').trim();
    }
    this.logger.log(`Project ${projectId} has no issue template ${JSON.stringify(key)}`);
    return null;
  }
}

/** The name of a file in one of the folders, without its ending. */
function isTemplateKey(key: string): boolean {
  return key.trim() !== '' && key.length <= 255 && !/[/\\\p{Cc}]/u.test(key);
}
