/** What to know before choosing a password, as the settings have it. */
export function passwordHint(minimumLength: number): string {
  return `At least ${minimumLength} characters, nothing that is easy to guess.`;
}
