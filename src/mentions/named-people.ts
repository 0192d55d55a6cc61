import type { NamedPeople } from '../activity/new-notification.js';
import { proseOf } from './prose.js';

/** Limit of mentions per text; further ones have no effect. */
const MAX_NAMES = 100;

/** `[text](address)` and addresses that stand for themselves. */
const ADDRESSES = /\]\([^()\s]*\)|\bhttps?:\/\/[^\s<>()]+/gi;

/**
 * A username or the full path of a group: neither has dots, dashes or underscores at its ends or
 * two of them together. The local part of an email address hides it.
 */
const NAMES =
  /(?<![\p{L}\p{N}@.+/\\-])@([a-z0-9]+(?:[._-][a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-][a-z0-9]+)*)*)/giu;

/**
 * Returns the mentions of a Markdown text, in lower case and each once: not within code, link URLs
 * or email addresses. Includes `all`. Takes linear time.
 */
export function namesIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const names = new Set<string>();
  for (const paragraph of proseOf(text)) {
    for (const [, name = ''] of paragraph.replace(ADDRESSES, ' ').matchAll(NAMES)) {
      names.add(name.toLowerCase());
      if (names.size === MAX_NAMES) return [...names];
    }
  }
  return [...names];
}

/** Joins a title and a description to one text, in paragraphs of their own. */
export function titledText(title: string, description: string | null): string {
  return `${title}\n\n${description ?? ''}`;
}

/** Returns whether a text mentions no one. */
export function namesNobody({ userIds, namespaceIds, all }: NamedPeople): boolean {
  return userIds.length === 0 && namespaceIds.length === 0 && !all;
}
