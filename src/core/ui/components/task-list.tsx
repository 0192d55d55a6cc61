import type { VNode } from 'preact';
import { cachedMarkdownHtml } from '../markdown/markdown-cache.js';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import { TASK_FORM, textDigest, withTaskButtons } from '../markdown/task-form.js';
import { Form } from './form.js';
import { MarkdownHtml } from './markdown.js';

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
