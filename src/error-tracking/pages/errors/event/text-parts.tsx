import type { ComponentChildren, VNode } from 'preact';
import type { TextPair } from '../../../events/truncator.js';

interface FoldProps {
  items: readonly VNode[];
  /** Number of initially visible items. */
  limit: number;
  /** Of the button that shows the others: `Show 3 more frames`. */
  noun: string;
  /** Around the visible items, and around the others: a list. */
  frame: (items: readonly VNode[]) => ComponentChildren;
  /** The list reaches the edges of its card. */
  flush?: boolean;
}

/** A list that is folded after its first items when it is long; without a script. */
export function Fold({ items, limit, noun, frame, flush = false }: FoldProps): VNode {
  const rest = items.slice(limit);
  return (
    <>
      {frame(items.slice(0, limit))}
      {rest.length > 0 && (
        <details class={flush ? 'border-t' : undefined}>
          <summary
            class={flush ? 'px-3 py-1.5' : 'w-fit'}
          >{`Show ${rest.length} more ${noun}`}</summary>
          <div class={flush ? 'border-t' : 'mt-2'}>{frame(rest)}</div>
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

interface TextPairsProps {
  pairs: readonly TextPair[];
  /** Plural noun of the pairs: `headers`. */
  noun: string;
  limit?: number;
}

const USUAL_LIMIT = 50;

/** Names and values that a program sent; never links. */
export function TextPairs({ pairs, noun, limit = USUAL_LIMIT }: TextPairsProps): VNode {
  const items = pairs.map(([name, text], index) => (
    <div key={index} class="contents">
      <dt class="wrap-anywhere">{name}</dt>
      <dd class="font-mono text-xs/5">
        <LongText text={text} />
      </dd>
    </div>
  ));
  return (
    <Fold items={items} limit={limit} noun={noun} frame={(some) => <dl class="facts">{some}</dl>} />
  );
}

/** The same under a heading of its own; nothing when there are none. */
export function TextPairsPart(props: TextPairsProps & { title: string }): VNode | null {
  const { title, ...rest } = props;
  if (rest.pairs.length === 0) return null;
  return (
    <section class="fact-group grid grid-cols-1 gap-2">
      <h3 class="text-sm font-semibold">{title}</h3>
      <TextPairs {...rest} />
    </section>
  );
}

interface SidePartProps {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** Part of the column beside the content. */
export function SidePart({ title, actions, children }: SidePartProps): VNode {
  return (
    <section class="grid grid-cols-1 gap-2 border-b pb-3">
      <header class="flex flex-wrap items-center justify-between gap-2">
        <h2 class="text-muted-foreground">{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
