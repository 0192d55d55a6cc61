/** Issues of one text that are looked for at most. */
const MAX_ISSUES = 50;

const WORD = '(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)';
const BETWEEN = String.raw`(?:,[ \t]{0,4}(?:and[ \t]{1,4})?|[ \t]{1,4}and[ \t]{1,4})`;
const CLOSING = new RegExp(
  String.raw`(?<![\w/-])${WORD}:?[ \t]{1,4}(#\d{1,15}(?:${BETWEEN}#\d{1,15}){0,20})(?!\w)`,
  'gi',
);

/**
 * Numbers of the issues that a text closes: `Closes #1`, `fixes: #2, #3 and #4`, in the order in
 * which they are named, each once. Issues of other projects are not meant.
 */
export function closedIssueNumbers(text: string): number[] {
  const numbers = new Set<number>();
  for (const [, list = ''] of text.matchAll(CLOSING)) {
    for (const [, number] of list.matchAll(/#(\d+)/g)) numbers.add(Number(number));
    if (numbers.size >= MAX_ISSUES) break;
  }
  return [...numbers].slice(0, MAX_ISSUES);
}
