import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { Thread } from './subscriptions.repository.js';

/**
 * The subject of an unsubscribe link: a thread, all other emails of a project, or the alert emails
 * of projects.
 */
export type MailThread =
  Thread | { kind: 'project'; id: number } | { kind: 'alerts'; projectIds: readonly number[] };

/** User of a key, and the thread that it unsubscribes from. */
export interface Unsubscription {
  thread: MailThread;
  userId: number;
}

const LETTERS = {
  issue: 'i',
  merge_request: 'm',
  snippet: 's',
  commit: 'c',
  project: 'p',
  alerts: 'a',
} as const satisfies Record<MailThread['kind'], string>;

/** More projects make the link too long for a header line (RFC 5322 §2.1.1). */
const MAX_PROJECTS = 40;

const KEY =
  /^(?<text>(?<letter>[acimps])(?<name>[\d.a-f]{1,700})-(?<userId>\d{1,15}))-(?<signature>[\w-]{43})$/;
const COMMIT_NAME = /^(?<id>\d{1,15})\.(?<sha>[0-9a-f]{40,64})$/;
const ID = /^\d{1,15}$/;
const REPLY_KEY_LENGTH = 32;

/**
 * Keys for the unsubscribe links of emails: signed, not stored, without expiry (RFC 8058 §3.1
 * requires that the link identify recipient and list).
 */
@Injectable()
export class UnsubscribeKeys {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) { secretKey }: Pick<Config, 'secretKey'>) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', 'unsubscribe links', 32));
  }

  /** The same key each time, of characters that need no escape in a URL. */
  keyOf(thread: MailThread, userId: number): string {
    const text = textOf(thread, userId);
    return `${text}-${this.sign(text).toString('base64url')}`;
  }

  /** Returns the content of a key; null for an invalid one. */
  read(key: string): Unsubscription | null {
    const parts = KEY.exec(key)?.groups;
    if (parts === undefined) return null;
    const wanted = Buffer.from(this.sign(String(parts['text'])).toString('base64url'));
    if (!timingSafeEqual(Buffer.from(String(parts['signature'])), wanted)) return null;
    const thread = threadOf(parts);
    return thread === null ? null : { thread, userId: Number(parts['userId']) };
  }

  /** Identifies the thread in replies to its emails, for the same user: 32 lowercase hex digits. */
  replyKeyOf(thread: MailThread, userId: number): string {
    return this.sign(`reply ${textOf(thread, userId)}`)
      .toString('hex')
      .slice(0, REPLY_KEY_LENGTH);
  }

  private sign(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}

function textOf(thread: MailThread, userId: number): string {
  return `${LETTERS[thread.kind]}${nameOf(thread)}-${userId}`;
}

function nameOf(thread: MailThread): string {
  if (thread.kind === 'alerts') return thread.projectIds.slice(0, MAX_PROJECTS).join('.');
  return thread.kind === 'commit' ? `${thread.projectId}.${thread.sha}` : String(thread.id);
}

function threadOf({ letter, name = '' }: Record<string, string | undefined>): MailThread | null {
  if (letter === LETTERS.commit) {
    const { id, sha } = COMMIT_NAME.exec(name)?.groups ?? {};
    return sha === undefined ? null : { kind: 'commit', projectId: Number(id), sha };
  }
  const ids = name.split('.');
  if (!ids.every((id) => ID.test(id))) return null;
  if (letter === LETTERS.alerts) return { kind: 'alerts', projectIds: ids.map(Number) };
  const kinds = ['issue', 'merge_request', 'snippet', 'project'] as const;
  const kind = kinds.find((one) => LETTERS[one] === letter);
  return kind === undefined || ids.length > 1 ? null : { kind, id: Number(name) };
}

/** The page where the reader of an email unsubscribes. */
export function unsubscribeAddress(baseUrl: string, key: string): string {
  return `${baseUrl}/-/sent_notifications/${key}/unsubscribe`;
}

/** Headers for unsubscribing with one click (RFC 8058 §3.1). */
export function unsubscribeHeaders(baseUrl: string, key: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${unsubscribeAddress(baseUrl, key)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
