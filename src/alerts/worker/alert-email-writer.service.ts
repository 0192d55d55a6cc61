import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { publicHost } from '../../core/public-url.js';
import { renderEmail, type EmailTemplate } from '../../core/mail/email-template.js';
import type { EmailContent, Mail } from '../../core/mail/mail.js';
import { oneLine } from '../../core/mail/mail-text.js';
import { projectHeaders } from '../../core/mail/project-headers.js';
import { ROLES, roleName } from '../../identity/members/roles.js';
import {
  unsubscribeAddress,
  unsubscribeHeaders,
} from '../../workspace/subscriptions/unsubscribe-headers.js';
import { UnsubscribeKeys } from '../../workspace/subscriptions/unsubscribe-keys.js';
import type { AlertEmailItem, AlertEmailItems, AlertReader } from '../alert-emails.repository.js';
import { statusOf } from '../alert-values.js';
import { digestContent } from './alert-digest.js';
import { singleAlertContent } from './alert-email.js';

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
    const content = isSingle
      ? singleAlertContent(first, baseUrl)
      : digestContent(items, projects, baseUrl);
    return {
      to: first.address,
      kind: first.news === 'firing' ? 'alert_firing' : 'alert_recovered',
      ...renderEmail({
        ...content,
        name: reader.name,
        reasons: projects.map((project) => this.reason(project, reader)),
        baseUrl,
      }),
      ...(isSingle && threadOf(first, baseUrl)),
      headers: {
        ...(projects.length === 1 && projectHeadersOf(first, baseUrl)),
        ...(isSingle && alertHeaders(first)),
        ...this.readerHeaders(projectIds, reader),
      },
    };
  }

  private reason(
    { projectId, projectName, accessLevel }: AlertEmailItem,
    reader: AlertReader,
  ): Required<EmailTemplate>['reasons'][number] {
    const article = accessLevel === ROLES.owner ? 'an' : 'a';
    const role = `${article} ${roleName(accessLevel).toLowerCase()}`;
    const key = this.keys.keyOf({ kind: 'alerts', projectIds: [projectId] }, reader.id);
    return {
      text: `You're receiving this because you're ${role} of ${oneLine(projectName)}.`,
      unsubscribeHref: unsubscribeAddress(this.config.baseUrl, key),
    };
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

/** The first item of each project. */
function projectsOf(items: AlertEmailItems): AlertEmailItem[] {
  const known = new Set<number>();
  return items.filter(({ projectId }) => !known.has(projectId) && known.add(projectId));
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
