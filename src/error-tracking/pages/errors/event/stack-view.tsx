import type { VNode } from 'preact';
import { counted } from '../../../../core/ui/amounts.js';
import type { FrameDetails } from '../../../events/trace-details.js';
import { Fold, TextPairs } from './text-parts.js';
import { framePageContext } from '../../../events/trace-text.js';

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

interface FrameViewProps {
  frame: FrameDetails;
  /** Expands source and variables initially. */
  isOpen: boolean;
  /** Limit of shown variables. */
  mostVariables: number;
}

/** More are folded. */
const SEEN_VARIABLES = 20;

/** One call of a stack: where it was, and its source and variables where they are known. */
function FrameView({ frame, isOpen, mostVariables }: FrameViewProps): VNode {
  const hidden = frame.variables.length - mostVariables;
  if (frame.context.length === 0 && frame.variables.length === 0) {
    return (
      <div class="px-4 py-2 pl-9 text-sm">
        <FrameTitle frame={frame} />
      </div>
    );
  }
  return (
    <details open={isOpen}>
      <summary class="px-4 py-2 text-sm">
        <FrameTitle frame={frame} />
      </summary>
      {frame.context.length > 0 && <SourceLines frame={frame} />}
      {frame.variables.length > 0 && (
        <div class="border-t px-4 py-3">
          <TextPairs
            pairs={frame.variables.slice(0, mostVariables)}
            noun="variables"
            limit={SEEN_VARIABLES}
          />
          {hidden > 0 && (
            <p class="text-muted-foreground mt-2 text-sm">
              {`The JSON of the event holds ${hidden} more.`}
            </p>
          )}
        </div>
      )}
    </details>
  );
}

function FrameTitle({ frame }: { frame: FrameDetails }): VNode {
  const place = framePageContext(frame);
  return (
    <span class="wrap-anywhere">
      <span class={frame.isInApp ? 'font-mono font-semibold' : 'font-mono'}>
        {frame.function ?? '(anonymous)'}
      </span>
      {place !== null && (
        <span class="text-muted-foreground" title={frame.absPath ?? undefined}>
          {' in '}
          <span class="font-mono">{place}</span>
        </span>
      )}
    </span>
  );
}

/** The lines around the failing one, which is marked by more than its colour. */
function SourceLines({ frame: { context, failingLine } }: { frame: FrameDetails }): VNode {
  return (
    <div class="border-t">
      <table class="diff">
        <tbody>
          {context.map(([line, text]) => (
            <tr key={line} data-kind={line === failingLine ? 'removed' : undefined}>
              <td>
                {line === failingLine && <span class="sr-only">Failed here: line </span>}
                {line === failingLine ? `▸ ${line}` : line}
              </td>
              <td class="wrap-anywhere whitespace-pre-wrap">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A frame and its place in the stack as it is read: the newest call is 0. */
interface PlacedFrame {
  frame: FrameDetails;
  place: number;
}

/** Frames that stand together: one of the program, or a run of those of its libraries. */
interface FrameBlock {
  kind: 'own' | 'library';
  frames: PlacedFrame[];
}

/**
 * The frames as people read them, the newest call first, each run of library frames in one block.
 * Where none is the program's own, all count as its own: there is nothing to fold around.
 */
export function frameBlocks(frames: readonly FrameDetails[]): FrameBlock[] {
  const hasOwn = frames.some(({ isInApp }) => isInApp);
  const blocks: FrameBlock[] = [];
  for (const [place, frame] of frames.toReversed().entries()) {
    const kind = frame.isInApp || !hasOwn ? 'own' : 'library';
    const last = blocks.at(-1);
    if (kind === 'library' && last?.kind === 'library') last.frames.push({ frame, place });
    else blocks.push({ kind, frames: [{ frame, place }] });
  }
  return blocks;
}
