import type { ComponentChildren, VNode } from 'preact';

interface FoldProps {
  items: readonly VNode[];
  /** Number of initially visible items. */
  limit: number;
  /** Of the button that shows the others: `Show 3 more frames`. */
  noun: string;
  /** Around those that are seen, and around the others: a list, a table. */
  frame: (items: readonly VNode[], part: 'first' | 'rest') => ComponentChildren;
}

/** A list that is folded after its first items when it is long; without a script. */
export function Fold({ items, limit, noun, frame }: FoldProps): VNode {
  const rest = items.slice(limit);
  return (
    <>
      {frame(items.slice(0, limit), 'first')}
      {rest.length > 0 && (
        <details>
          <summary class="w-fit">{`Show ${rest.length} more ${noun}`}</summary>
          <div class="mt-2">{frame(rest, 'rest')}</div>
        </details>
      )}
    </>
  );
}

const SHORT = 400;
const BEGINNING = 160;

/** A text as it was sent; one that would fill the screen shows its beginning until it is opened. */
export function LongText({ text }: { text: string }): VNode {
  if (text.length <= SHORT) return <span class="wrap-anywhere whitespace-pre-wrap">{text}</span>;
  return (
    <details>
      <summary class="wrap-anywhere">{`${text.slice(0, BEGINNING)}…`}</summary>
      <pre class="mt-1 whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </details>
  );
}
