import { Injectable, Logger } from '@nestjs/common';
import {
  NOTICE_KINDS,
  NOTICE_TARGETS,
  type NoticeKind,
  type NoticeTarget,
} from '../../activity/notice-kinds.js';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/queue/rounds.js';
import { Sql } from '../../core/sql/sql.service.js';
import { MailOutbox } from '../../mail/mail-outbox.service.js';
import { fanOutSql } from '../recipients/fan-out-sql.js';
import { CommitAuthors } from './commit-authors.service.js';

const BATCH = 100;

/** Those that another worker has at the moment are left to it. */
const WAITING_SQL = `
  SELECT id, kind, target_type AS "targetType", project_id AS "projectId",
    (SELECT k.commit_sha FROM notes k WHERE k.id = notices.note_id) AS sha
  FROM notices
  WHERE mailed_at IS NULL AND not_before <= $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;

/** After 15 seconds, a minute, four, … at most an hour. */
const POSTPONE_SQL = `
  UPDATE notices SET attempts = attempts + 1,
    not_before = $2::timestamptz + least(15 * power(4, least(attempts, 9)), 3600) * interval '1 second'
  WHERE id = $1 AND mailed_at IS NULL`;

interface WaitingNotice {
  id: number;
  kind: number;
  targetType: number;
  projectId: number;
  /** Of the commit that it is about. */
  sha: string | null;
}

/**
 * Writes the mails about notices. Each notice is one statement, so that whoever is killed in between
 * leaves none half done, and several workers write the mails of each once.
 */
@Injectable()
export class NoticeFanOut {
  private readonly logger = new Logger(NoticeFanOut.name);

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly outbox: MailOutbox,
    private readonly authors: CommitAuthors,
  ) {}

  /** Goes on until no notice waits, or `isStopping` says so. One that fails is tried again later. */
  async writeDue(isStopping: IsStopping): Promise<void> {
    let waiting: WaitingNotice[];
    do {
      waiting = await this.sql.rows<WaitingNotice>(WAITING_SQL, [this.now()]);
      for (const notice of waiting) {
        if (isStopping()) return;
        await this.write(notice);
      }
    } while (waiting.length === BATCH);
  }

  private async write(notice: WaitingNotice): Promise<void> {
    try {
      const values = [notice.id, this.clock.now(), ...(await this.authorOf(notice))];
      const written = await this.sql.row<{ mails: number }>(statementOf(notice), values);
      if (written !== null && written.mails > 0) this.outbox.wake();
    } catch (error) {
      this.logger.error(`The mails about notice ${notice.id} were not written: ${String(error)}`);
      await this.sql.rows(POSTPONE_SQL, [notice.id, this.clock.now()]);
    }
  }

  /** Address of a commit's author: one more value of the statement about commits. */
  private async authorOf(notice: WaitingNotice): Promise<(string | null)[]> {
    const { targetType, projectId, sha } = notice;
    if (targetType !== NOTICE_TARGETS.commit) return [];
    return [sha === null ? null : await this.authors.addressOf(projectId, sha)];
  }

  /** The database rounds to milliseconds and our clock cuts them off. */
  private now(): Date {
    return new Date(this.clock.now().getTime() + 1);
  }
}

function statementOf({ kind, targetType }: WaitingNotice): string {
  const kindName = nameIn(NOTICE_KINDS, kind);
  const targetName = nameIn(NOTICE_TARGETS, targetType);
  return fanOutSql(kindName as NoticeKind, targetName as NoticeTarget);
}

function nameIn(words: Record<string, number>, stored: number): string {
  const name = Object.keys(words).find((word) => words[word] === stored);
  // Of a later version, which is being taken back: it may come again.
  if (name === undefined) throw new Error(`${stored} is unknown`);
  return name;
}
