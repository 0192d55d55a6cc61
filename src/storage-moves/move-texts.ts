const MAX_MESSAGE_LENGTH = 256;

/** The message as it is stored: at most 256 characters, the last three `...` when cut. */
export function moveErrorMessage(text: string): string {
  // By code points, lest a cut leaves half a character; NUL cannot be stored.
  const characters = [...text.replaceAll('\0', '')];
  if (characters.length <= MAX_MESSAGE_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_MESSAGE_LENGTH - 3).join('')}...`;
}
