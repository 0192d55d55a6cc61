import type { VNode } from 'preact';
import { Badge, Card } from '../../../../core/ui/components/content.js';
import { CopyButton } from '../../../../core/ui/components/copy.js';
import { type EventDetails, exceptionTitle, traceText } from '../../../events/event-details.js';
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

const TEXT_ID = 'stack-text';

interface ExceptionsCardProps {
  details: EventDetails;
  /** Title of the page: the only exception is not repeated. */
  title: string;
}

/** Exceptions with their stack traces, causes below, and the same as text. */
export function ExceptionsCard({ details, title }: ExceptionsCardProps): VNode | null {
  const thrown = details.exceptions.toReversed();
  const threads = details.threads.filter(({ frames }) => frames.length > 0);
  if (thrown.length === 0 && threads.length === 0) return null;
  const mostVariables = variablesOfEach([...thrown, ...threads]);
  const [first] = thrown;
  const isTitle = thrown.length === 1 && first?.module === null && exceptionTitle(first) === title;
  const text = traceText(details);
  return (
    <Card title="Stack trace" actions={<TraceActions hasText={text !== ''} />} flush>
      <Fold
        items={thrown.map((exception, index) => (
          <ExceptionPart
            key={index}
            {...{ exception, mostVariables }}
            isCause={index > 0}
            isNamed={!isTitle}
          />
        ))}
        limit={MOST_EXCEPTIONS}
        noun="causes"
        frame={(some) => <div class="divide-y">{some}</div>}
        flush
      />
      <Fold
        items={threads.map((thread, index) => (
          <ThreadPart key={index} {...{ thread, mostVariables }} />
        ))}
        limit={MOST_THREADS}
        noun="threads"
        frame={(some) => <div class="divide-y">{some}</div>}
        flush
      />
      {text !== '' && <PlainText text={text} />}
    </Card>
  );
}

function TraceActions({ hasText }: { hasText: boolean }): VNode {
  return (
    <span class="text-muted-foreground flex items-center gap-1">
      Most recent call first
      {hasText && <CopyButton label="Copy stack trace" field={TEXT_ID} />}
    </span>
  );
}

interface ExceptionPartProps {
  exception: ExceptionDetails;
  isCause: boolean;
  /** False if the title of the page is the exception's. */
  isNamed: boolean;
  mostVariables: number;
}

function ExceptionPart(props: ExceptionPartProps): VNode {
  const { exception, isCause, isNamed, mostVariables } = props;
  const { frames, mechanism } = exception;
  return (
    <section class="divide-y">
      {isNamed ? (
        <ExceptionHead exception={exception} isCause={isCause} />
      ) : (
        mechanism !== null && (
          <p class="px-3 py-1.5">
            <MechanismBadge mechanism={mechanism} />
          </p>
        )
      )}
      {frames.length === 0 ? (
        <p class="text-muted-foreground px-3 py-1.5">No stack trace.</p>
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

function ExceptionHead({
  exception: { type, value, module, mechanism },
  isCause,
}: Pick<ExceptionPartProps, 'exception' | 'isCause'>): VNode {
  return (
    <div class="px-3 py-1.5">
      <h3 class="flex flex-wrap items-center gap-x-2">
        {isCause && <span class="text-muted-foreground font-normal">Caused by</span>}
        <span class="wrap-anywhere">{type ?? 'Exception'}</span>
        {mechanism !== null && <MechanismBadge mechanism={mechanism} />}
      </h3>
      {value !== null && value !== '' && <LongText text={value} />}
      {module !== null && (
        <p class="text-muted-foreground wrap-anywhere">{`Defined in ${module}`}</p>
      )}
    </div>
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
    <section class="divide-y">
      <h3 class="flex flex-wrap items-center gap-2 px-3 py-1.5">
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

function PlainText({ text }: { text: string }): VNode {
  return (
    <details class="border-t px-3 py-1.5">
      <summary class="text-muted-foreground w-fit">Plain text</summary>
      <pre
        id={TEXT_ID}
        class="mt-2 max-h-[32rem] overflow-auto"
        tabIndex={0}
        aria-label="Stack trace as text"
        role="region"
      >
        {text}
      </pre>
    </details>
  );
}
