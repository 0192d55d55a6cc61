import { Injectable, Logger } from '@nestjs/common';
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

interface KeptTemplate {
  text: Promise<string | null>;
  until: number;
}

/** Reads the issue templates with which projects end their incidents. */
@Injectable()
export class IssueTemplates {
  private readonly logger = new Logger(IssueTemplates.name);
  private readonly kept = new Map<string, KeptTemplate>();

  constructor(
    private readonly settings: AlertSettingsRepository,
    private readonly storages: StorageRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the templates by project ID. A template that is missing, too large or unreadable is
   * logged and left out, as the incident matters more.
   */
  async ofAlerts(
    tx: EntityManager,
    alertIds: readonly number[],
  ): Promise<ReadonlyMap<number, string | null>> {
    const wanted = await this.settings.listTemplates(tx, alertIds);
    const texts = wanted.map(async (one) => [one.projectId, await this.recent(one)] as const);
    return new Map(await Promise.all(texts));
  }

  private recent(wanted: WantedTemplate): Promise<string | null> {
    const now = this.clock.now().getTime();
    const name = JSON.stringify(wanted);
    const known = this.kept.get(name);
    if (known !== undefined && known.until > now) return known.text;
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    const text = this.read(wanted).catch((error: unknown) => {
      this.logger.warn(`No issue template for project ${wanted.projectId}: ${String(error)}`);
      return null;
    });
    this.kept.set(name, { text, until: now + KEPT_MS });
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
