import type { VNode } from 'preact';
import { Badge, Card } from '../../../../core/ui/components/content.js';
import { Copyable } from '../../../../core/ui/components/copy-button.js';
import { type EventDetails, traceText } from '../../../events/event-details.js';
import type {
  ExceptionDetails,
  FrameDetails,
  MechanismDetails,
  ThreadDetails,
} from '../../../events/trace-details.js';
import { Fold, LongText } from './text-parts.js';
import { StackView } from './stack-view.js';

const MOST_EXCEPTIONS = 10;
const MOST_THREADS = 10;
/** Frames that show their source initially: causes mostly repeat the frames of their effect. */
const OPEN_CALLS = { thrown: 2, cause: 1, thread: 2 } as const;
/** Limit of displayed variables, over all frames. */
const MOST_VARIABLES = 2_000;

/** Exceptions with their stack traces, causes below, and the same as text. */
export function ExceptionsCard({ details }: { details: EventDetails }): VNode | null {
  const thrown = details.exceptions.toReversed();
  const threads = details.threads.filter(({ frames }) => frames.length > 0);
  if (thrown.length === 0 && threads.length === 0) return null;
  const mostVariables = variablesOfEach([...thrown, ...threads]);
  return (
    <Card title="Stack trace">
      <Fold
        items={thrown.map((exception, index) => (
          <ExceptionPart key={index} {...{ exception, mostVariables }} isCause={index > 0} />
        ))}
        limit={MOST_EXCEPTIONS}
        noun="causes"
        frame={(some) => <div class="grid grid-cols-1 gap-4">{some}</div>}
      />
      <Fold
        items={threads.map((thread, index) => (
          <ThreadPart key={index} {...{ thread, mostVariables }} />
        ))}
        limit={MOST_THREADS}
        noun="threads"
        frame={(some) => <div class="grid grid-cols-1 gap-4">{some}</div>}
      />
      <CopyTrace text={traceText(details)} />
    </Card>
  );
}

interface ExceptionPartProps {
  exception: ExceptionDetails;
  isCause: boolean;
  mostVariables: number;
}

function ExceptionPart({ exception, isCause, mostVariables }: ExceptionPartProps): VNode {
  const { type, value, module, mechanism, frames } = exception;
  return (
    <section class="grid grid-cols-1 gap-2">
      <h3 class="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
        {isCause && <span class="text-muted-foreground font-normal">Caused by</span>}
        <span class="wrap-anywhere">{type ?? 'Exception'}</span>
        {mechanism !== null && <MechanismBadge mechanism={mechanism} />}
      </h3>
      {value !== null && value !== '' && (
        <div class="text-sm">
          <LongText text={value} />
        </div>
      )}
      {module !== null && (
        <p class="text-muted-foreground text-sm wrap-anywhere">{`Defined in ${module}`}</p>
      )}
      {frames.length === 0 ? (
        <p class="text-muted-foreground text-sm">No stack trace.</p>
      ) : (
        <StackView
          frames={frames}
          mostOpen={isCause ? OPEN_CALLS.cause : OPEN_CALLS.thrown}
          mostVariables={mostVariables}
        />
      )}
    </section>
  );
}

/** Shows if the exception was handled, and its mechanism. */
function MechanismBadge({
  mechanism: { type, isHandled },
}: {
  mechanism: MechanismDetails;
}): VNode {
  if (isHandled === null) return <Badge>{type}</Badge>;
  return (
    <Badge tone={isHandled ? 'neutral' : 'danger'}>
      {`${isHandled ? 'Handled' : 'Unhandled'}: ${type}`}
    </Badge>
  );
}

interface ThreadPartProps {
  thread: ThreadDetails;
  mostVariables: number;
}

function ThreadPart({ thread, mostVariables }: ThreadPartProps): VNode {
  const { id, name, isCrashed, isCurrent, frames } = thread;
  return (
    <section class="grid grid-cols-1 gap-2">
      <h3 class="flex flex-wrap items-center gap-2 text-base">
        <span class="wrap-anywhere">{`Thread ${name ?? id ?? ''}`}</span>
        {isCrashed && <Badge tone="danger">Crashed</Badge>}
        {isCurrent && !isCrashed && <Badge>Current</Badge>}
      </h3>
      <StackView frames={frames} mostOpen={OPEN_CALLS.thread} mostVariables={mostVariables} />
    </section>
  );
}

/** Returns the number of variables that each frame can show so that the total stays bounded. */
function variablesOfEach(stacks: readonly { frames: readonly FrameDetails[] }[]): number {
  const calls = stacks.reduce((sum, { frames }) => sum + frames.length, 0);
  return Math.floor(MOST_VARIABLES / Math.max(1, calls));
}

function CopyTrace({ text }: { text: string }): VNode | null {
  if (text === '') return null;
  return (
    <details>
      <summary class="w-fit">Plain text</summary>
      <Copyable noun="stack trace">
        <pre
          class="mt-2 max-h-[32rem] overflow-auto"
          tabIndex={0}
          aria-label="Stack trace as text"
          role="region"
        >
          {text}
        </pre>
      </Copyable>
    </details>
  );
}
