import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import type { EmailTemplate } from '../../core/mail/email-template.js';
import {
  isMailAddress,
  projectHeaders,
  type EmailContent,
  type Mail,
} from '../../core/mail/mail.js';
import { publicHost } from '../../core/response-context.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { MailOutbox } from '../../core/mail/mail-outbox.service.js';
import {
  unsubscribeAddress,
  unsubscribeHeaders,
  UnsubscribeKeys,
} from '../../workspace/subscriptions/unsubscribe-keys.js';
import {
  AlertEmailsRepository,
  type AlertEmailItem,
  type AlertEmailItems,
  type AlertReader,
} from '../alert-emails.repository.js';
import type { AlertNews, ReactionKind } from '../alert-reaction.entity.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from '../alert-reactions.repository.js';
import { statusOf } from '../alert-values.js';
import { alertEmail, alertReason, MAX_PROJECTS, projectsOf } from './alert-email.js';

/** Writes alert emails: of one alert, or a digest. */
@Injectable()
export class AlertEmailWriter {
  constructor(
    private readonly keys: UnsubscribeKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns one email about pending news of a person, all for the address of the first. */
  write(items: AlertEmailItems, reader: AlertReader): Mail {
    const { baseUrl } = this.config;
    const [first, ...more] = items;
    const projects = projectsOf(items);
    const projectIds = projects.map(({ projectId }) => projectId);
    const isSingle = more.length === 0;
    return {
      to: first.address,
      kind: first.news === 'firing' ? 'alert_firing' : 'alert_recovered',
      ...alertEmail(items, { reasons: this.reasons(projects, reader), baseUrl }),
      ...(isSingle && threadOf(first, baseUrl)),
      headers: {
        ...(projects.length === 1 && projectHeadersOf(first, baseUrl)),
        ...(isSingle && alertHeaders(first)),
        ...this.readerHeaders(projectIds, reader),
      },
    };
  }

  /** A link for each project; one for all of them when there are too many. */
  private reasons(projects: AlertEmailItem[], { id }: AlertReader): EmailTemplate['reasons'] {
    const linkTo = (...projectIds: number[]): { label: string; href: string } => {
      const key = this.keys.keyOf({ kind: 'alerts', projectIds }, id);
      return { label: 'Unsubscribe', href: unsubscribeAddress(this.config.baseUrl, key) };
    };
    if (projects.length > MAX_PROJECTS) {
      const text = `You're receiving this because of your roles in ${projects.length} projects.`;
      return [{ text, unsubscribe: linkTo(...projects.map(({ projectId }) => projectId)) }];
    }
    return projects.map((project) => ({
      text: alertReason(project),
      unsubscribe: linkTo(project.projectId),
    }));
  }

  private readerHeaders(projectIds: number[], { id }: AlertReader): Record<string, string> {
    const { baseUrl, mailFrom } = this.config;
    const thread = { kind: 'alerts', projectIds } as const;
    return {
      'Reply-To': mailFrom,
      'X-Svc-NotificationReason': 'alert',
      'X-Svc-Reply-Key': this.keys.replyKeyOf(thread, id),
      ...unsubscribeHeaders(baseUrl, this.keys.keyOf(thread, id)),
    };
  }
}

/** Mail programs show all emails about one alert as a thread. */
function threadOf({ id }: AlertEmailItem, baseUrl: string): Partial<EmailContent> {
  const root = `<alert_${id}@${publicHost(baseUrl)}>`;
  return { inReplyTo: root, references: [root] };
}

function projectHeadersOf(
  { projectId, projectOwnName, projectPath }: AlertEmailItem,
  baseUrl: string,
): Record<string, string> {
  const project = { id: projectId, name: projectOwnName, path: projectPath };
  return projectHeaders(project, publicHost(baseUrl));
}

function alertHeaders({ id, iid, status }: AlertEmailItem): Record<string, string> {
  return {
    'X-Svc-Alert-ID': String(id),
    'X-Svc-Alert-IID': String(iid),
    'X-Svc-Alert-Status': statusOf(status),
  };
}

const RETRY_MS = 60_000;

const KINDS: Record<AlertNews, ReactionKind> = {
  firing: 'mail_firing',
  recovery: 'mail_recovery',
};

/**
 * Sends alert emails to members with the role that a project chose. The first news are written at
 * once; later ones wait for the end of the reader's window and share one email.
 */
@Injectable()
export class AlertMails {
  private readonly logger = new Logger(AlertMails.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly emails: AlertEmailsRepository,
    private readonly outbox: MailOutbox,
    private readonly writer: AlertEmailWriter,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** The work that adds one kind of news to the next emails. */
  workOn(news: AlertNews): ReactionWork {
    const react = async (tx: EntityManager, due: DueReaction[]): Promise<ReactionOutcome> => {
      const told = due.map(({ alertId, events }) => ({ alertId, events: sumOf(events) }));
      await this.emails.addNews(tx, news, told);
      return { busy: [], summary: null, committed: () => this.writeDue(() => false) };
    };
    return { kind: KINDS[news], react };
  }

  /** Writes the emails of all people whose window is over, each in a transaction of its own. */
  async writeDue(isStopping: IsStopping): Promise<void> {
    let count = 0;
    while (!isStopping() && (await this.writeNext())) count += 1;
    if (count === 0) return;
    this.logger.log(`Wrote alert emails to ${count} people`);
  }

  /** Returns false when no email is due. */
  private async writeNext(): Promise<boolean> {
    const now = this.clock.now();
    const claimed: { reader: AlertReader | null } = { reader: null };
    try {
      await this.dataSource.transaction(async (tx) => {
        claimed.reader = await this.emails.claimReader(tx, now);
        if (claimed.reader !== null) await this.write(tx, claimed.reader, now);
      });
    } catch (error) {
      if (claimed.reader === null) throw error;
      const { id } = claimed.reader;
      this.logger.error(`Writing the alert email to user ${id} failed: ${String(error)}`);
      await this.emails.setWindow(this.dataSource.manager, id, new Date(now.getTime() + RETRY_MS));
    }
    return claimed.reader !== null;
  }

  private async write(tx: EntityManager, reader: AlertReader, now: Date): Promise<void> {
    const items = await this.emails.takeNews(tx, reader.id);
    const addresses = new Set(items.map(({ address }) => address).filter(isMailAddress));
    if (addresses.size === 0) return;
    for (const address of addresses) {
      const [first, ...more] = items.filter((item) => item.address === address);
      if (first) await this.outbox.enqueue(tx, this.writer.write([first, ...more], reader));
    }
    const windowMs = this.settings.values.alert_email_interval_seconds * 1_000;
    await this.emails.setWindow(tx, reader.id, new Date(now.getTime() + windowMs));
  }
}

function sumOf(events: readonly number[]): number {
  return events.reduce((sum, one) => sum + one, 0);
}
