import type { VNode } from 'preact';
import type { TextPair } from '../../../events/text-bounds.js';
import { Fold, LongText } from './fold.js';

interface TextPairsProps {
  pairs: readonly TextPair[];
  /** Plural noun of the pairs: `headers`. */
  noun: string;
  limit?: number;
}

const USUAL_LIMIT = 50;

/** Names and values that a program sent; never links, whatever they look like. */
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
