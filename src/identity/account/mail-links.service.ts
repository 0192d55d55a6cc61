import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { credentialDigest } from '../../core/secrets.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import { Clock } from '../../core/clock.js';
import { ApiError } from '../../core/errors.js';
import {
  MailLinksRepository,
  type LinkTarget,
  type MailLink,
  type MailLinkPurpose,
} from './mail-links.repository.js';

/** 422: the link of an email was used, replaced by a later one, or has expired. */
export class LinkRefusedError extends ApiError {
  constructor() {
    super(422, { message: 'This link has expired or was already used. Request a new one.' });
  }
}

const HOUR_MS = 3_600_000;
const LIFETIMES_MS: Record<MailLinkPurpose, number> = {
  reset_password: 6 * HOUR_MS,
  confirm_email: 72 * HOUR_MS,
};

/** Interval between two emails of one kind to an address, against flooding a mailbox. */
const PAUSE_MS = 60_000;

/** Links in emails: each works once, for some hours, until a later one of its kind. */
@Injectable()
export class MailLinks {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly links: MailLinksRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a link in the caller's transaction and returns its token, or null when the last one is
   * less than a minute old. Earlier links for the same address stop working.
   */
  async issue(tx: EntityManager, target: LinkTarget): Promise<string | null> {
    const now = this.clock.now();
    // Users before their links, as everywhere: otherwise two transactions can wait for each other.
    await this.accounts.lock(tx, target.userId);
    const last = await this.links.findLatest(tx, target);
    if (last !== null && now.getTime() - last.createdAt.getTime() < PAUSE_MS) return null;
    const token = randomBytes(32).toString('base64url');
    await this.links.replace(tx, target, {
      digest: credentialDigest(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIMES_MS[target.purpose]),
    });
    return token;
  }

  /** Returns the subject of a valid link, else null. Does not use the link up. */
  async look(
    tx: EntityManager,
    token: string,
    purpose: MailLinkPurpose,
  ): Promise<LinkTarget | null> {
    const link = await this.links.findByDigest(tx, credentialDigest(token), purpose);
    return link === null || link.expiresAt <= this.clock.now() ? null : targetOf(link);
  }

  /**
   * Returns the subject of a valid link and uses it up: of concurrent calls, one gets the subject.
   */
  async consume(
    tx: EntityManager,
    token: string,
    purpose: MailLinkPurpose,
  ): Promise<LinkTarget | null> {
    const link = await this.look(tx, token, purpose);
    if (link === null) return null;
    await this.accounts.lock(tx, link.userId);
    return (await this.links.consume(tx, credentialDigest(token), purpose)) ? link : null;
  }
}

function targetOf({ purpose, userId, email }: MailLink): LinkTarget {
  return { purpose, userId, email };
}

/** Usually longer than the work takes. */
const MINIMUM_MS = 300;

/**
 * Returns the result of the work after a minimum duration, so that the time does not reveal if an
 * address is known.
 */
export async function withMinimumDuration<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, delay(MINIMUM_MS)]);
  return result;
}
