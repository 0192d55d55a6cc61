import { randomInt } from 'node:crypto';

const MAX_LENGTH = 24;
const SUFFIX_LENGTH = 6;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Returns the slug for host names: a-z, 0-9 and single hyphens, begins with a letter, at most 24
 * characters. A slug that differs from the name ends in six random characters, as in v4, so that
 * similar names stay distinct.
 */
export function environmentSlug(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/--+/g, '-');
  const plain = /^[a-z]/.test(words) ? words : `env-${words}`.replace('--', '-');
  const isName = plain === name && plain.length <= MAX_LENGTH && !plain.endsWith('-');
  return isName ? plain : suffixedSlug(plain);
}

/** Such a slug in any case with six random characters, for one that is taken. */
export function suffixedSlug(slug: string): string {
  const kept = slug.slice(0, MAX_LENGTH - SUFFIX_LENGTH - 1).replace(/-$/, '');
  return `${kept}-${randomSuffix()}`;
}

function randomSuffix(): string {
  const characters = Array.from({ length: SUFFIX_LENGTH }, () => {
    return SUFFIX_CHARACTERS.charAt(randomInt(SUFFIX_CHARACTERS.length));
  });
  return characters.join('');
}
