import { createHash } from 'node:crypto';
import type { VNode } from 'preact';
import { cachedMarkdownHtml } from '../markdown/markdown-cache.js';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import { taskLines } from '../markdown/markdown-html.js';
import { Form } from './form.js';
import { MarkdownHtml } from './markdown.js';

/** ID of the page's form that the task buttons submit. */
const TASK_FORM = 'tasks';

/** Shown when the text has changed since the page was loaded. */
export const CHANGED_MEANWHILE = 'The description has changed. Try again.';

const BOX = /<input type="checkbox" disabled aria-label="(Done|Not done)"(?: checked)?>/g;
const MARK = /\[[ xX]\]/;

/** Replaces rendered checkboxes with buttons, each of which submits its number with `TASK_FORM`. */
function withTaskButtons(html: string): string {
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

interface TaskListProps {
  text: string;
  /** URL that receives a toggled task as `task` and `digest`. */
  action: string;
  csrfToken: string;
}

/** Renders Markdown whose tasks can be toggled without a script; at most one per page. */
export function TaskList({ text, action, csrfToken }: TaskListProps): VNode {
  const rendered = { links: undefined, budget: new MarkdownBudget() };
  const html = withTaskButtons(cachedMarkdownHtml(text, rendered));
  return (
    <>
      <Form id={TASK_FORM} action={action} csrfToken={csrfToken} class="hidden">
        <input type="hidden" name="digest" value={textDigest(text)} />
      </Form>
      <MarkdownHtml html={html} />
    </>
  );
}
