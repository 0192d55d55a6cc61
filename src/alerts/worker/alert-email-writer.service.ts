import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { EmailTemplate } from '../../core/mail/email-template.js';
import type { EmailContent, Mail } from '../../core/mail/mail.js';
import { projectHeaders } from '../../core/mail/mail-headers.js';
import { publicHost } from '../../core/response-context.js';
import {
  unsubscribeAddress,
  unsubscribeHeaders,
  UnsubscribeKeys,
} from '../../workspace/subscriptions/unsubscribe-keys.js';
import type { AlertEmailItem, AlertEmailItems, AlertReader } from '../alert-emails.repository.js';
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
