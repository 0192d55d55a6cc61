/** All results are dropped above this number, as the texts change with time. */
const MOST_ANSWERS = 5_000;
/** Longer texts seldom repeat. */
const LONGEST_TEXT = 256;

/**
 * The same function of a text with a memory of bounded size: names of files and functions are the
 * same few from event to event. `compute` must depend on nothing else.
 */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    if (text.length > LONGEST_TEXT) return compute(text);
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = compute(text);
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}
