import type { VNode } from 'preact';
import type { FrameDetails } from '../../../events/trace-details.js';
import { framePlace } from '../../../events/trace-text.js';
import { TextPairs } from './text-pairs.js';

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
export function FrameView({ frame, isOpen, mostVariables }: FrameViewProps): VNode {
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
  const place = framePlace(frame);
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
