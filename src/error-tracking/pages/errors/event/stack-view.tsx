import type { VNode } from 'preact';
import { counted } from '../../../../core/ui/amounts.js';
import { Highlighted } from '../../../../core/ui/components/code.js';
import { Badge } from '../../../../core/ui/components/content.js';
import { escapeHtml } from '../../../../core/ui/escape-html.js';
import type { FrameDetails } from '../../../events/trace-details.js';
import { Fold, TextPairs } from './text-parts.js';
import { frameLocation } from '../../../events/event-details.js';

/** Limit of displayed blocks. */
const MOST_BLOCKS = 40;
/** Calls whose source is highlighted, the newest first: few readers unfold older ones. */
const MOST_HIGHLIGHTED = 40;

interface StackViewProps {
  frames: readonly FrameDetails[];
  /** Number of application frames, newest first, whose source is expanded initially. */
  mostOpen: number;
  /** Limit of shown variables per frame. */
  mostVariables: number;
}

/** Stack trace, most recent call first, with library frames collapsed. */
export function StackView({ frames, mostOpen, mostVariables }: StackViewProps): VNode {
  const blocks = frameBlocks(frames);
  const isMixed = blocks.some(({ kind }) => kind === 'library');
  let own = 0;
  const items = blocks.map((block) => {
    if (block.kind === 'own') own += 1;
    const isOpen = own <= mostOpen;
    return <Block key={block.frames[0]?.index} {...{ block, isOpen, isMixed, mostVariables }} />;
  });
  return (
    <Fold
      items={items}
      limit={MOST_BLOCKS}
      noun="frames"
      frame={(some) => <ol class="frames">{some}</ol>}
      flush
    />
  );
}

interface BlockProps {
  block: FrameBlock;
  isOpen: boolean;
  /** True if the stack has frames of the program and of libraries. */
  isMixed: boolean;
  mostVariables: number;
}

function Block({ block: { kind, frames }, isOpen, isMixed, mostVariables }: BlockProps): VNode {
  if (kind === 'own') {
    return (
      <>
        {frames.map(({ frame, index }) => (
          <li key={index}>
            <FrameView {...{ frame, index, isOpen, mostVariables }} isMarked={isMixed} />
          </li>
        ))}
      </>
    );
  }
  return (
    <li>
      <details>
        <summary class="text-muted-foreground">
          {`Show ${counted(frames.length, 'library frame')}`}
        </summary>
        <ol class="frames border-t">
          {frames.map(({ frame, index }) => (
            <li key={index}>
              <FrameView {...{ frame, index, mostVariables }} isOpen={false} isMarked={false} />
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}

interface FrameViewProps extends IndexedFrame {
  /** Expands source and variables initially. */
  isOpen: boolean;
  /** Says that the frame is of the program. */
  isMarked: boolean;
  /** Limit of shown variables. */
  mostVariables: number;
}

/** More are folded. */
const SEEN_VARIABLES = 20;

/** One frame: its location, and its source and variables if known. */
function FrameView({ frame, index, isOpen, isMarked, mostVariables }: FrameViewProps): VNode {
  const hidden = frame.variables.length - mostVariables;
  if (frame.context.length === 0 && frame.variables.length === 0) {
    return (
      <div>
        <FrameTitle frame={frame} isMarked={isMarked} />
      </div>
    );
  }
  return (
    <details open={isOpen}>
      <summary>
        <FrameTitle frame={frame} isMarked={isMarked} />
      </summary>
      {frame.context.length > 0 && <SourceLines {...{ frame, index }} />}
      {frame.variables.length > 0 && (
        <div class="border-t px-3 py-2">
          <TextPairs
            pairs={frame.variables.slice(0, mostVariables)}
            noun="variables"
            limit={SEEN_VARIABLES}
          />
          {hidden > 0 && (
            <p class="text-muted-foreground mt-2">
              {`The JSON of the event has ${hidden} more variables.`}
            </p>
          )}
        </div>
      )}
    </details>
  );
}

function FrameTitle({ frame, isMarked }: Pick<FrameViewProps, 'frame' | 'isMarked'>): VNode {
  const location = frameLocation(frame);
  return (
    <>
      <span class="min-w-0 grow wrap-anywhere">
        <code class={frame.isInApp ? 'font-semibold' : undefined}>
          {frame.function ?? '(anonymous)'}
        </code>
        {location !== null && (
          <span class="text-muted-foreground" title={frame.absPath ?? undefined}>
            {' '}
            {location}
          </span>
        )}
      </span>
      {isMarked && <Badge>In app</Badge>}
    </>
  );
}

/** The lines around the failing one, which is marked by more than its colour. */
function SourceLines({ frame, index }: IndexedFrame): VNode {
  const source = frame.context.map(([, text]) => text).join('\n');
  return (
    <div class="bg-muted py-1">
      <table class="diff">
        {index < MOST_HIGHLIGHTED ? (
          <Highlighted texts={[source]} hint={frame.filename ?? ''}>
            {(highlighted) => <SourceRows frame={frame} html={highlighted?.[0] ?? []} />}
          </Highlighted>
        ) : (
          <SourceRows frame={frame} html={[]} />
        )}
      </table>
    </div>
  );
}

interface SourceRowsProps {
  frame: FrameDetails;
  /** Highlighted lines; empty without highlighting. */
  html: readonly string[];
}

function SourceRows({ frame: { context, failingLine }, html }: SourceRowsProps): VNode {
  // A line that a program sent can hold line breaks: then lines and highlighted ones differ.
  const isWhole = html.length === context.length;
  return (
    <tbody>
      {context.map(([line, text], at) => (
        <tr key={line} data-kind={line === failingLine ? 'removed' : undefined}>
          <td>
            {line === failingLine && <span class="sr-only">Failed here: line </span>}
            {line === failingLine ? `▸ ${line}` : line}
          </td>
          <td
            class="wrap-anywhere whitespace-pre-wrap"
            dangerouslySetInnerHTML={{ __html: isWhole ? (html[at] ?? '') : escapeHtml(text) }}
          />
        </tr>
      ))}
    </tbody>
  );
}

/** A frame and its index in the stack as it is read: the newest call is 0. */
interface IndexedFrame {
  frame: FrameDetails;
  index: number;
}

/** Frames that stand together: one of the program, or a run of those of its libraries. */
interface FrameBlock {
  kind: 'own' | 'library';
  frames: IndexedFrame[];
}

/**
 * Returns the frames, most recent call first, with each run of library frames in one block.
 * Where none is the program's own, all count as its own: there is nothing to fold around.
 */
export function frameBlocks(frames: readonly FrameDetails[]): FrameBlock[] {
  const hasOwn = frames.some(({ isInApp }) => isInApp);
  const blocks: FrameBlock[] = [];
  for (const [index, frame] of frames.toReversed().entries()) {
    const kind = frame.isInApp || !hasOwn ? 'own' : 'library';
    const last = blocks.at(-1);
    if (kind === 'library' && last?.kind === 'library') last.frames.push({ frame, index });
    else blocks.push({ kind, frames: [{ frame, index }] });
  }
  return blocks;
}
