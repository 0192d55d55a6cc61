import { createHash } from 'node:crypto';
import { taskLines } from './markdown-html.js';

/** ID of the page's form that the task buttons submit. */
export const TASK_FORM = 'tasks';

/** Shown when the text has changed since the page was loaded. */
export const CHANGED_MEANWHILE = 'The description has changed. Try again.';

const BOX = /<input type="checkbox" disabled aria-label="(Done|Not done)"(?: checked)?>/g;
const MARK = /\[[ xX]\]/;

/** Replaces rendered checkboxes with buttons, each of which submits its number with `TASK_FORM`. */
export function withTaskButtons(html: string): string {
  let task = 0;
  return html.replace(BOX, (_, state: string) => {
    const checked = String(state === 'Done');
    const name = `type="submit" form="${TASK_FORM}" name="task" value="${task++}"`;
    return `<button class="task-box" ${name} role="checkbox" aria-checked="${checked}" aria-label="Done"></button>`;
  });
}

/** Identifies the version of a text, so that a task is toggled only in the text that was shown. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * Returns the text with one task toggled, or null when the text has changed or has no such task.
 */
export function toggledTask(
  text: string,
  { task, digest }: { task: string; digest: string },
): string | null {
  const line = digest === textDigest(text) ? taskLines(text)[Number(task)] : undefined;
  if (line === undefined) return null;
  // Every second part is a line ending, of whichever kind the browser sent.
  const parts = text.split(/(\r\n?|\n)/);
  const shown = parts[line * 2] ?? '';
  parts[line * 2] = shown.replace(MARK, (mark) => (mark === '[ ]' ? '[x]' : '[ ]'));
  return parts.join('');
}
