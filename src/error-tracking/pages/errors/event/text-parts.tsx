import type { ComponentChildren, VNode } from 'preact';
import type { TextPair } from '../../../events/truncator.js';
import type { Fact } from '../../../../core/ui/components/content.js';

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
      <dd class="font-mono text-[0.8125rem]/5">
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
    <section class="grid grid-cols-1 gap-2">
      <h3 class="text-sm font-semibold">{title}</h3>
      <TextPairs {...rest} />
    </section>
  );
}

/** Short facts side by side, so that what follows them is seen without scrolling. */
export function FactGrid({ items }: { items: Fact[] }): VNode {
  return (
    <dl class="grid grid-cols-2 gap-x-4 gap-y-3 text-sm sm:grid-cols-3 xl:grid-cols-4 [&_time]:whitespace-normal">
      {items.map(({ label, value }) => (
        <div key={label} class="min-w-0">
          <dt class="text-muted-foreground">{label}</dt>
          <dd class="font-medium wrap-anywhere">
            {value ?? <span class="text-muted-foreground font-normal">Unknown</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
