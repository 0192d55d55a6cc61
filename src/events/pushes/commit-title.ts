const MAX_CHARACTERS = 70;
const ELLIPSIS = '...';

/**
 * The first line of a message for push events: at most 70 characters, the dots of what was cut
 * included (reference, `push_data`). PostgreSQL takes no NUL.
 */
export function toCommitTitle(message: string): string {
  const text = message.replaceAll('\0', '').trimStart();
  const end = text.indexOf('\n');
  const characters = Array.from((end === -1 ? text : text.slice(0, end)).trim());
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  return characters.slice(0, MAX_CHARACTERS - ELLIPSIS.length).join('') + ELLIPSIS;
}
