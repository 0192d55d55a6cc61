import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { LOCAL_RULES } from './local-rules.js';
import { wholeText, type SpamSender, type Submission } from './submission.js';

const MEMORY_MINUTES = 10;

/** The statement sees the rows as they were before it, so this submission is not counted. */
const REMEMBER = `
  WITH forgotten AS (
    DELETE FROM spam_submissions
    WHERE user_id = $1 AND created_at < now() - interval '${MEMORY_MINUTES} minutes'
  ), remembered AS (
    INSERT INTO spam_submissions (user_id, digest) VALUES ($1, $2)
  )
  SELECT (SELECT count(*)::int FROM spam_submissions
          WHERE user_id = $1 AND digest = $2
            AND created_at >= now() - interval '${MEMORY_MINUTES} minutes') AS repetitions,
         extract(epoch FROM now() - u.created_at)::float8 / 3600 AS "accountAgeHours"
  FROM users u WHERE u.id = $1`;

/** The rules that need no other service: what LOCAL_RULES says about a text and its author. */
@Injectable()
export class LocalChecker {
  constructor(private readonly sql: Sql) {}

  /** Why the submission looks like spam, or null; remembers it for the next one. */
  async suspicion(submission: Submission, sender: SpamSender): Promise<string | null> {
    const history = await this.sql.row<{ repetitions: number; accountAgeHours: number }>(REMEMBER, [
      sender.viewer.id,
      digestOf(submission),
    ]);
    // The account was deleted meanwhile: what follows will fail for that reason.
    if (history === null) return null;
    const ownHost = new URL(sender.baseUrl).hostname;
    for (const rule of LOCAL_RULES) {
      const reason = rule({ ...submission, ...history, ownHost });
      if (reason !== null) return reason;
    }
    return null;
  }
}

/** Case and white space make no difference. */
function digestOf(submission: Submission): Buffer {
  const text = wholeText(submission).toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(text).digest();
}
