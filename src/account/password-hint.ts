/** Returns the password rules to show beneath a password field. */
export function passwordHint(minimumLength: number): string {
  return `At least ${minimumLength} characters, nothing that is easy to guess.`;
}
