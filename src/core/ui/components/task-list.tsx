import type { VNode } from 'preact';
import { cachedMarkdownHtml } from '../markdown/markdown-cache.js';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import { TASK_FORM, textDigest, withTaskButtons } from '../markdown/task-form.js';
import { Form } from './form.js';

interface TaskListProps {
  text: string;
  /** Where a ticked task is sent, as `task` and `digest`. */
  action: string;
  csrfToken: string;
}

/** A text in Markdown whose tasks can be ticked, without a script; one on a page. */
export function TaskList({ text, action, csrfToken }: TaskListProps): VNode {
  const rendered = { links: undefined, budget: new MarkdownBudget() };
  const html = withTaskButtons(cachedMarkdownHtml(text, rendered));
  return (
    <>
      <Form id={TASK_FORM} action={action} csrfToken={csrfToken} class="hidden">
        <input type="hidden" name="digest" value={textDigest(text)} />
      </Form>
      <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}
