import { MAIL_REASONS } from '../notification-values.js';
import { NOTIFICATION_LEVELS } from '../../subscriptions/notification-levels.js';
import type { LetterFacts } from './letter-facts.js';
import type { DecidingLevel, Reader } from './letter-row.js';

/** Returns the sentence about the reason of the email, without any user text. */
export function ruleSentence(
  { row, subject: { noun } }: LetterFacts,
  reader: Pick<Reader, 'reason' | 'level' | 'scope'>,
): string {
  const because = reasonText(reader.reason, noun);
  if (because !== null) return `You get this mail because ${because}.`;
  if (row.pipeline !== null) return 'You get this mail because you ran this pipeline.';
  if (noun === 'project') {
    return 'You get this mail because you are a Maintainer or an Owner of this project.';
  }
  return `You get this mail because ${levelText(reader, noun)}.`;
}

function reasonText(reason: number | null, noun: string): string | null {
  switch (reason) {
    case MAIL_REASONS.own_activity:
      return 'you want to be told of what you do yourself';
    case MAIL_REASONS.assigned:
      return `this ${noun} is assigned to you, or was`;
    case MAIL_REASONS.review_requested:
      return `you are asked to review this ${noun}, or were`;
    case MAIL_REASONS.mentioned:
      return 'it names you or a group of yours';
    case MAIL_REASONS.subscribed:
      return `you subscribed to this ${noun}`;
    default:
      return null;
  }
}

function levelText({ level, scope }: DecidingLevel, noun: string): string {
  const whose = `your ${scopeText(scope)}`;
  if (level === NOTIFICATION_LEVELS.watch) return `${whose} is Watch`;
  if (level === NOTIFICATION_LEVELS.custom) return `${whose} is Custom`;
  if (level === NOTIFICATION_LEVELS.mention) return `this ${noun} was assigned to you`;
  return `you take part in this ${noun} and ${whose} is Participating`;
}

function scopeText(scope: DecidingLevel['scope']): string {
  if (scope === 'project') return 'notification level for this project';
  return scope === 'group' ? 'notification level for its group' : 'global notification level';
}
