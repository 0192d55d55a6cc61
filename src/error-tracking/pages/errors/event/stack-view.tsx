import type { VNode } from 'preact';
import { counted } from '../../../../core/ui/amounts.js';
import type { FrameDetails } from '../../../events/trace-details.js';
import { Fold } from './fold.js';
import { frameBlocks, type FrameBlock } from './frame-blocks.js';
import { FrameView } from './frame-view.js';

/** More are not read, but make a page heavy. */
const MOST_BLOCKS = 40;

interface StackViewProps {
  frames: readonly FrameDetails[];
  /** Number of application frames, newest first, whose source is expanded initially. */
  mostOpen: number;
  /** Limit of shown variables per frame. */
  mostVariables: number;
}

/** A stack as people read it: the newest call first, calls within libraries folded away. */
export function StackView({ frames, mostOpen, mostVariables }: StackViewProps): VNode {
  const blocks = frameBlocks(frames);
  let own = 0;
  const items = blocks.map((block) => {
    if (block.kind === 'own') own += 1;
    const isOpen = own <= mostOpen;
    return <Block key={block.frames[0]?.place} {...{ block, isOpen, mostVariables }} />;
  });
  return (
    <div class="grid grid-cols-1 gap-2">
      <p class="text-muted-foreground text-sm">The newest call comes first.</p>
      <Fold
        items={items}
        limit={MOST_BLOCKS}
        noun="calls"
        frame={(some) => <ol class="divide-y rounded-lg border">{some}</ol>}
      />
    </div>
  );
}

interface BlockProps {
  block: FrameBlock;
  isOpen: boolean;
  mostVariables: number;
}

function Block({ block: { kind, frames }, isOpen, mostVariables }: BlockProps): VNode {
  if (kind === 'own') {
    return (
      <>
        {frames.map(({ frame, place }) => (
          <li key={place}>
            <FrameView {...{ frame, isOpen, mostVariables }} />
          </li>
        ))}
      </>
    );
  }
  return (
    <li class="bg-muted/40">
      <details>
        <summary class="text-muted-foreground px-4 py-2 text-sm">
          {counted(frames.length, 'call')} in libraries
        </summary>
        <ol class="divide-y border-t">
          {frames.map(({ frame, place }) => (
            <li key={place}>
              <FrameView {...{ frame, mostVariables }} isOpen={false} />
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}
