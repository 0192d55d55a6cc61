import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LOCAL_RULES, type SpamFacts } from './local-rules.js';
import { SpamLogsRepository } from './spam-logs.repository.js';
import { wholeText, type SpamSender, type Submission } from './submission.js';

/** Checks a text and its author against LOCAL_RULES, which need no other service. */
@Injectable()
export class LocalChecker {
  constructor(private readonly logs: SpamLogsRepository) {}

  /** Returns why the submission looks like spam, or null; remembers it for the next one. */
  async suspicion(submission: Submission, sender: SpamSender): Promise<string | null> {
    const digest = digestOf(submission);
    const history = await this.logs.rememberSubmission(sender.viewer.id, digest);
    // The account was deleted meanwhile: what follows will fail for that reason.
    if (history === null) return null;
    const ownHost = new URL(sender.baseUrl).hostname;
    const { accountAgeHours } = history;
    const comments = (submission.comments ?? []).map((prose) => {
      return {
        kind: 'comment',
        title: '',
        prose,
        files: [],
        accountAgeHours,
        repetitions: 0,
      } as const;
    });
    for (const text of [{ ...submission, ...history }, ...comments]) {
      const reason = suspicionOf({ ...text, ownHost });
      if (reason !== null) return reason;
    }
    return null;
  }
}

function suspicionOf(facts: SpamFacts): string | null {
  for (const rule of LOCAL_RULES) {
    const reason = rule(facts);
    if (reason !== null) return reason;
  }
  return null;
}

/** Case and white space make no difference. */
function digestOf(submission: Submission): Buffer {
  const text = wholeText(submission).toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(text).digest();
}
