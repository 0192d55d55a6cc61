import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { credentialDigest } from '../../core/digest.js';
import { MailLink, type MailLinkPurpose } from '../mail-link.entity.js';

const HOUR_MS = 3_600_000;
const LIFETIMES_MS: Record<MailLinkPurpose, number> = {
  reset_password: 6 * HOUR_MS,
  confirm_email: 72 * HOUR_MS,
};

/** Nobody fills the mailbox of another: one mail of a kind in this time. */
const PAUSE_MS = 60_000;

/** What a link was made for. */
export interface LinkTarget {
  purpose: MailLinkPurpose;
  userId: number;
  /** The address that it is mailed to, and that it is about. */
  email: string;
}

/** Links in mails: each works once and for some hours, and the latest of its kind only. */
@Injectable()
export class MailLinks {
  constructor(private readonly clock: Clock) {}

  /**
   * Makes a link in the caller's transaction and answers the token for it; null when the last one
   * is less than a minute old. Earlier links for the same address end.
   */
  async issue(tx: EntityManager, target: LinkTarget): Promise<string | null> {
    const now = this.clock.now();
    await lockUser(tx, target.userId);
    const last = await tx.findOne(MailLink, { where: { ...target }, order: { id: 'DESC' } });
    if (last !== null && now.getTime() - last.createdAt.getTime() < PAUSE_MS) return null;
    await tx.delete(MailLink, { ...target });
    const token = randomBytes(32).toString('base64url');
    await tx.insert(MailLink, {
      ...target,
      digest: credentialDigest(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIMES_MS[target.purpose]),
    });
    return token;
  }

  /** What the link is about while it works, else null; it goes on working. */
  async look(
    tx: EntityManager,
    token: string,
    purpose: MailLinkPurpose,
  ): Promise<LinkTarget | null> {
    const link = await tx.findOneBy(MailLink, { digest: credentialDigest(token), purpose });
    return link === null || link.expiresAt <= this.clock.now() ? null : targetOf(link);
  }

  /** What the link is about, and its end: of several who use it at once, one gets an answer. */
  async consume(
    tx: EntityManager,
    token: string,
    purpose: MailLinkPurpose,
  ): Promise<LinkTarget | null> {
    const link = await this.look(tx, token, purpose);
    if (link === null) return null;
    await lockUser(tx, link.userId);
    const { affected } = await tx.delete(MailLink, { digest: credentialDigest(token), purpose });
    return affected === 1 ? link : null;
  }
}

/** Users before their links, as everywhere: otherwise two transactions may wait for each other. */
async function lockUser(tx: EntityManager, id: number): Promise<void> {
  await tx.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
}

function targetOf({ purpose, userId, email }: MailLink): LinkTarget {
  return { purpose, userId, email };
}
