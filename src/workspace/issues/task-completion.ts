/** Number of tasks in a text, and number of completed ones. */
interface TaskCompletion {
  count: number;
  completed: number;
}

/** `- [ ] text`, also numbered, nested and quoted; `[x]` is done. */
const TASK = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+\S/;

const FENCE = /^[\s>]*(`{3,}|~{3,})/;

/** Counts the boxes of the task lists in a Markdown text; those in code blocks are none. */
export function taskCompletion(markdown: string | null): TaskCompletion {
  const tasks: TaskCompletion = { count: 0, completed: 0 };
  if (!markdown?.includes('[')) return tasks;
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      fence = fenceAfter(fence, mark);
      continue;
    }
    const box = fence === null ? TASK.exec(line)?.[1] : undefined;
    if (box === undefined) continue;
    tasks.count += 1;
    if (box !== ' ') tasks.completed += 1;
  }
  return tasks;
}

/** A block ends with a fence of the same kind that is no shorter (CommonMark, fenced code blocks). */
function fenceAfter(open: string | null, mark: string): string | null {
  if (open === null) return mark;
  return mark[0] === open[0] && mark.length >= open.length ? null : open;
}
