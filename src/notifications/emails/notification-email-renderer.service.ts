import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { h } from 'preact';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { oneLine, type EmailContent } from '../../core/mail/mail.js';
import { publicHost } from '../../core/response-context.js';
import { renderEmail } from '../../core/mail/email-template.js';
import {
  NotificationEmails,
  type NotificationRenderer,
  type NotificationMail,
  type RenderedEmail,
} from '../../core/mail/notification-emails.service.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/notification-levels.js';
import {
  unsubscribeHeaders,
  unsubscribeAddress,
  type MailThread,
  UnsubscribeKeys,
} from '../../workspace/subscriptions/unsubscribe-keys.js';
import { NotificationMailsRepository } from '../notification-mails.repository.js';
import { MAIL_REASONS } from '../notification-values.js';
import { CommitFactsReader } from './commit-facts-reader.service.js';
import {
  type EmailFacts,
  emailFacts,
  hrefOf,
  type EmailRow,
  type Person,
  type Reader,
  type DecidingLevel,
} from './email-facts.js';
import { filterHeaders, threadHeaders, emailSubject } from './email-headers.js';
import { EmailNews } from './email-news.js';

/** Texts that take long to render must not delay the emails before them. */
const WRITING_MS = 1_500;

/** Parts that all emails about one notification share. */
interface NotificationEmail {
  facts: EmailFacts;
  thread: MailThread;
  /** Rendered emails by their sentence about the reason. */
  rendered: Map<string, EmailParts>;
}

/** Renders the emails about notifications, only for recipients who can still read the content. */
@Injectable()
export class NotificationEmailRenderer implements NotificationRenderer, OnModuleInit {
  private readonly messageKey: Buffer;

  constructor(
    private readonly notifications: NotificationMailsRepository,
    private readonly emails: NotificationEmails,
    private readonly commits: CommitFactsReader,
    private readonly keys: UnsubscribeKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'mailFrom' | 'secretKey'>,
  ) {
    this.messageKey = Buffer.from(hkdfSync('sha256', config.secretKey, '', 'message ids', 32));
  }

  onModuleInit(): void {
    this.emails.use(this);
  }

  /** See NotificationRenderer. */
  async write(
    mails: readonly NotificationMail[],
  ): Promise<ReadonlyMap<number, RenderedEmail | null>> {
    const rows = await this.notifications.emails(mails);
    const written = new Map<number, RenderedEmail | null>();
    const end = performance.now() + WRITING_MS;
    for (const row of rows) {
      if (written.size > 0 && performance.now() > end) {
        for (const { mailId } of row.readers) written.set(mailId, null);
        continue;
      }
      const facts = emailFacts(row, await this.commits.read(row), this.config.baseUrl);
      if (facts === null) continue;
      const notification = { facts, thread: threadOf(row), rendered: new Map() };
      for (const reader of row.readers)
        written.set(reader.mailId, this.email(notification, reader));
    }
    return written;
  }

  private email({ facts, thread, rendered }: NotificationEmail, reader: Reader): RenderedEmail {
    const { baseUrl, mailFrom } = this.config;
    const host = publicHost(baseUrl);
    const rule = ruleSentence(facts, reader);
    const parts = rendered.get(rule) ?? renderParts(facts, rule);
    rendered.set(rule, parts);
    const key = this.keys.keyOf(thread, reader.userId);
    const headers = {
      'Reply-To': mailFrom,
      ...filterHeaders(facts, host, reader.reason),
      'X-Svc-Reply-Key': this.keys.replyKeyOf(thread, reader.userId),
      ...unsubscribeHeaders(baseUrl, key),
    };
    const email = {
      ...fromName(facts.row.actor),
      subject: parts.subject,
      ...parts.partsFor(key),
      ...threadHeaders(facts, { host, random: this.randomOf(facts.row.id) }),
      headers,
    };
    return { to: reader.to, email };
  }

  /**
   * Returns the same value for every attempt and reader, so that mail clients can drop duplicates.
   */
  private randomOf(notificationId: number): string {
    return createHmac('sha256', this.messageKey)
      .update(`notice ${notificationId}`)
      .digest('hex')
      .slice(0, 32);
  }
}

/** `Jane Roe (@jroe)`; the name of the instance for notifications without an actor. */
function fromName(actor: Person | null): { fromName?: string } {
  return actor === null ? {} : { fromName: `${oneLine(actor.name)} (@${actor.username})` };
}

/** Returns the thread that the email's unsubscribe link mutes. */
function threadOf({ issue, mergeRequest, snippet, note, project }: EmailRow): MailThread {
  if (issue !== null) return { kind: 'issue', id: issue.id };
  if (mergeRequest !== null) return { kind: 'merge_request', id: mergeRequest.id };
  if (snippet !== null) return { kind: 'snippet', id: snippet.id };
  if (note?.sha != null) return { kind: 'commit', projectId: project.id, sha: note.sha };
  return { kind: 'project', id: project.id };
}

/** Placeholder of the reader's unsubscribe key; random, so that no text can contain it. */
const KEY = `key-${randomUUID()}`;

/** Rendered email that is the same for all readers but for their unsubscribe links. */
interface EmailParts {
  subject: string;
  /** Text and HTML part for a reader. */
  partsFor(unsubscribeKey: string): { text: string; html: string };
}

/** Renders both parts once for all readers with the same rule. */
function renderParts(facts: EmailFacts, rule: string): EmailParts {
  const { subject, text, html } = notificationEmail(
    facts,
    rule,
    unsubscribeAddress(facts.baseUrl, KEY),
  );
  const [texts, htmls] = [text.split(KEY), html.split(KEY)];
  return { subject, partsFor: (key) => ({ text: texts.join(key), html: htmls.join(key) }) };
}

/** Renders the email about a notification, without its headers. */
export function notificationEmail(
  facts: EmailFacts,
  rule: string,
  unsubscribeHref: string,
): EmailContent {
  const { subject, row, baseUrl } = facts;
  const muted = row.pipeline === null ? subject.noun : 'project';
  return renderEmail({
    subject: emailSubject(facts),
    place: subject.noun === 'project' ? 'Project' : placeText(facts),
    heading: subject.title,
    body: h(EmailNews, { facts }),
    actions: [{ label: `View ${subject.noun}`, href: hrefOf(facts) }],
    reasons: [
      {
        text: rule,
        unsubscribe: { label: `Unsubscribe from this ${muted}`, href: unsubscribeHref },
      },
    ],
    hasSettings: true,
    baseUrl,
  });
}

function placeText({ row: { project }, subject: { noun, reference } }: EmailFacts): string {
  return `${project.title} · ${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${reference}`;
}

/** Returns the sentence about the reason of the email, without any user text. */
export function ruleSentence(
  { row, subject: { noun } }: EmailFacts,
  reader: Pick<Reader, 'reason' | 'level' | 'scope'>,
): string {
  return `You're receiving this because ${reasonText(reader, row.pipeline !== null, noun)}.`;
}

function reasonText(
  reader: Pick<Reader, 'reason' | 'level' | 'scope'>,
  isPipeline: boolean,
  noun: string,
): string {
  switch (reader.reason) {
    case MAIL_REASONS.own_activity:
      return 'you turned on notifications about your own activity';
    case MAIL_REASONS.assigned:
      return 'you are or were assigned';
    case MAIL_REASONS.review_requested:
      return 'your review is or was requested';
    case MAIL_REASONS.mentioned:
      return 'you were mentioned';
    case MAIL_REASONS.subscribed:
      return `you're subscribed to this ${noun}`;
    case MAIL_REASONS.label_subscribed:
      return `you're subscribed to a label of this ${noun}`;
    default:
      if (isPipeline) return 'you ran this pipeline';
      return noun === 'project'
        ? "you're a maintainer or owner of this project"
        : levelText(reader, noun);
  }
}

function levelText({ level, scope }: DecidingLevel, noun: string): string {
  const setting = scopeText(scope);
  if (level === NOTIFICATION_LEVELS.watch) return `your ${setting} is Watch`;
  if (level === NOTIFICATION_LEVELS.custom) return `your ${setting} is Custom`;
  if (level === NOTIFICATION_LEVELS.mention) return 'you were assigned';
  return `you're participating in this ${noun}`;
}

function scopeText(scope: DecidingLevel['scope']): string {
  if (scope === 'project') return 'notification level for this project';
  return scope === 'group' ? 'notification level for its group' : 'global notification level';
}
