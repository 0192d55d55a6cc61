import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { codeMarkdown, inlineMarkdown } from '../../core/inline-markdown.js';
import { runGit } from '../../git/git-process.js';
import { MEMORY } from '../../git/memory-limit.js';
import { BRANCH_PREFIX, isValidBranchName } from '../../git/reference-name.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import type { IssueSeverity } from '../../workspace/issues/issue.entity.js';
import { AlertSettingsRepository, type WantedTemplate } from '../alert-settings.repository.js';
import { severityOf } from '../alert-values.js';
import type { Alert } from '../alert.entity.js';

/** Attributes of an alert that an incident's description shows. */
export type DescribedAlert = Pick<
  Alert,
  | 'severity'
  | 'startedAt'
  | 'query'
  | 'service'
  | 'monitoringTool'
  | 'hosts'
  | 'description'
  | 'incidentMarkdown'
>;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Two spaces before the end of a line keep the next row from joining it. */
const END_OF_ROW = '  \n';

const SEPARATOR = '\n\n---\n\n';

/**
 * Returns the Markdown of an alert's incident: the attributes of the alert row by row, then the
 * Markdown that its sender provided for incidents, then the project's issue template, separated by
 * rules. Texts of the alert cannot break out of their row; the other two parts are Markdown and
 * stay as they are.
 */
export function incidentText(
  alert: DescribedAlert,
  { webUrl, template = null }: { webUrl: string; template?: string | null },
): string {
  const rows = rowsOf(alert, webUrl).map(([key, value]) => `**${key}:** ${value}${END_OF_ROW}`);
  const further = [alert.incidentMarkdown, template].filter((part) => isGiven(part));
  if (further.length === 0) return rows.join('');
  return [rows.join('').slice(0, -1), ...further].join(SEPARATOR);
}

/** Returns the severity of the alert's incident; issues have no severity `info`. */
export function incidentSeverity(alert: Pick<Alert, 'severity'>): IssueSeverity {
  const severity = severityOf(alert.severity);
  return severity === 'info' ? 'unknown' : severity;
}

function rowsOf(alert: DescribedAlert, webUrl: string): [string, string][] {
  const rows: [string, string | null][] = [
    ['Start time', timeText(alert.startedAt)],
    ['Severity', severityOf(alert.severity)],
    ['full_query', isGiven(alert.query) ? codeMarkdown(alert.query) : null],
    ['Service', inlineText(alert.service)],
    ['Monitoring tool', inlineText(alert.monitoringTool)],
    ['Hosts', inlineText(alert.hosts.join(' '))],
    ['Description', inlineText(alert.description)],
    ['Alert', webUrl],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}

function inlineText(text: string | null): string | null {
  return isGiven(text) ? inlineMarkdown(text) : null;
}

function isGiven(text: string | null): text is string {
  return text !== null && text.trim() !== '';
}

/** `01 March 2026, 9:05AM (UTC)` */
function timeText(time: Date): string {
  const day = String(time.getUTCDate()).padStart(2, '0');
  const hour = time.getUTCHours();
  const minute = String(time.getUTCMinutes()).padStart(2, '0');
  const clock = `${hour % 12 || 12}:${minute}${hour < 12 ? 'AM' : 'PM'}`;
  return `${day} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} (UTC)`;
}

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
