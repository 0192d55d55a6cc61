import { createHash } from 'node:crypto';
import { taskLines } from './markdown-html.js';

/** The form of a page whose buttons tick the tasks of a text. */
export const TASK_FORM = 'tasks';

/** Told to who ticks a task of a text that somebody has changed since. */
export const CHANGED_MEANWHILE = 'The description has changed. Try again.';

const BOX = /<input type="checkbox" disabled aria-label="(Done|Not done)"(?: checked)?>/g;
const MARK = /\[[ xX]\]/;

/** Makes buttons of the boxes of rendered tasks: each sends its number with `TASK_FORM`. */
export function withTaskButtons(html: string): string {
  let task = 0;
  return html.replace(BOX, (_, state: string) => {
    const checked = String(state === 'Done');
    const name = `type="submit" form="${TASK_FORM}" name="task" value="${task++}"`;
    return `<button class="task-box" ${name} role="checkbox" aria-checked="${checked}" aria-label="Done"></button>`;
  });
}

/** Names a text, so that a task is ticked only in the text that was shown. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * The text with one of its tasks ticked, or no longer. null when the text is not the one that was
 * shown, or has no such task.
 */
export function toggledTask(
  text: string,
  { task, digest }: { task: string; digest: string },
): string | null {
  const line = digest === textDigest(text) ? taskLines(text)[Number(task)] : undefined;
  if (line === undefined) return null;
  // Every second part is a line end, whichever kind the browser sent.
  const parts = text.split(/(\r\n?|\n)/);
  const shown = parts[line * 2] ?? '';
  parts[line * 2] = shown.replace(MARK, (mark) => (mark === '[ ]' ? '[x]' : '[ ]'));
  return parts.join('');
}
