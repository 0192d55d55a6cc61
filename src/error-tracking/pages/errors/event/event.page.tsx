import type { VNode } from 'preact';
import type { Page } from '../../../../core/pagination/page.js';
import { ButtonLink } from '../../../../core/ui/components/button.js';
import {
  DescriptionList,
  EmptyState,
  type Fact,
  PageHeader,
} from '../../../../core/ui/components/content.js';
import { CopyButton } from '../../../../core/ui/components/copy.js';
import { Pagination } from '../../../../core/ui/components/list.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ERROR_LEVELS } from '../../../error-values.js';
import { errorTitle, type ErrorGroupRow } from '../../../errors/error-group.js';
import type { EventDetails } from '../../../events/event-details.js';
import type { EventWithNeighbours } from '../../../events/event-reading.service.js';
import type { ListedEvent } from '../../../events/stored-event.js';
import { LevelBadge } from '../../error-badges.js';
import { errorEventsPath, errorPath } from '../../../error-paths.js';
import { EventCards } from './event-cards.js';
import { SidePart } from './text-parts.js';
import { counted } from '../../../../core/ui/amounts.js';
import { Cell, Table } from '../../../../core/ui/components/table.js';

interface PlaceProps {
  project: ProjectRow;
  error: ErrorGroupRow;
}

interface EventPageProps extends PlaceProps {
  /** null if it is not stored. */
  event: EventWithNeighbours | null;
}

/** One event of an error, whole. */
export function EventPage({ project, error, event }: EventPageProps): VNode {
  const title = errorTitle(error);
  return (
    <div class="grid grid-cols-1 gap-4">
      <PageHeader
        title="Event"
        description={
          <a class="line-clamp-1" href={errorPath(project, error.id)}>
            {title}
          </a>
        }
      />
      {event === null ? (
        <EventGone />
      ) : (
        <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div class="grid grid-cols-1 gap-4">
            <EventCards details={event.details} project={project} title={title} />
          </div>
          <EventPart title="Event" project={project} error={error} event={event} />
        </div>
      )}
    </div>
  );
}

interface EventPartProps extends PlaceProps {
  title: string;
  event: EventWithNeighbours;
}

/** Facts of an event, with links to the other events. */
export function EventPart({ title, project, error, event }: EventPartProps): VNode {
  const { details, neighbours } = event;
  const path = errorEventsPath(project, error.id);
  const { older, newer } = neighbours;
  return (
    <SidePart
      title={title}
      actions={
        <nav class="flex flex-wrap gap-1" aria-label="Events">
          {older !== null && <WayLink href={`${path}/${older}`}>Older</WayLink>}
          {newer !== null && <WayLink href={`${path}/${newer}`}>Newer</WayLink>}
          <WayLink href={path}>All events</WayLink>
          <WayLink href={`${path}/${details.eventId}/raw`}>JSON</WayLink>
        </nav>
      }
    >
      <DescriptionList items={factsOf(details, `${path}/${details.eventId}`)} />
    </SidePart>
  );
}

function WayLink({ href, children }: { href: string; children: string }): VNode {
  return (
    <ButtonLink href={href} variant="outline" size="small">
      {children}
    </ButtonLink>
  );
}

function factsOf(details: EventDetails, path: string): Fact[] {
  const { eventId, occurredAt, receivedAt, environment, release, sdk } = details;
  const id = (
    <span class="inline-flex items-center gap-1">
      <a class="font-mono text-xs wrap-anywhere" href={path}>
        {eventId.slice(0, SHOWN_DIGITS)}
      </a>
      <CopyButton label="Copy event ID" value={eventId} />
    </span>
  );
  const isLate = Math.abs(receivedAt.getTime() - occurredAt.getTime()) > LATE_MS;
  const optional: [label: string, text: string | null][] = [
    ['Transaction', details.transaction],
    ['Release', release],
    ['Build', details.dist],
    ['Server', details.serverName],
    ['SDK', sdk === null ? null : [sdk.name, sdk.version ?? ''].join(' ').trim()],
  ];
  return [
    { label: 'ID', value: id },
    { label: 'Occurred', value: <Time value={occurredAt} /> },
    ...(isLate ? [{ label: 'Received', value: <Time value={receivedAt} /> }] : []),
    { label: 'Level', value: <LevelBadge level={ERROR_LEVELS.indexOf(details.level)} /> },
    { label: 'Environment', value: environment },
    ...optional.flatMap(([label, text]) =>
      text === null || text === '' ? [] : [{ label, value: text }],
    ),
  ];
}

/** Suffices to tell events apart; the link and the button have the whole ID. */
const SHOWN_DIGITS = 8;

/** Events arrive within seconds; the page marks those that came much later. */
const LATE_MS = 60_000;

/** Explains why an event is not stored. */
export function EventGone(): VNode {
  return (
    <EmptyState title="Event not stored">
      This event is no longer stored (retention or sampling). Counts are still exact.
    </EmptyState>
  );
}

interface EventsPageProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  events: Page<ListedEvent>;
  paging: { page: number; perPage: number };
}

const COLUMNS = [
  { label: 'Event' },
  { label: 'Occurred' },
  { label: 'Level' },
  { label: 'Environment' },
  { label: 'Release' },
  { label: 'User' },
];

/** The stored events of an error, the latest first. */
export function EventsPage({ project, error, events, paging }: EventsPageProps): VNode {
  const path = errorEventsPath(project, error.id);
  const title = errorTitle(error);
  return (
    <>
      <div class="grid grid-cols-1 gap-4">
        <PageHeader
          title="Stored events"
          description={
            <>
              {`${counted(error.eventsCount, 'event')} in total · `}
              <a href={errorPath(project, error.id)}>{title}</a>
            </>
          }
        />
        {events.items.length === 0 ? (
          <EmptyState title="No stored events">
            Events are removed by retention and sampling. Counts are still exact.
          </EmptyState>
        ) : (
          <Table caption="Events" columns={COLUMNS} stacked>
            {events.items.map((event) => (
              <Row key={event.id} path={path} event={event} errorTitle={title} />
            ))}
          </Table>
        )}
        <Pagination page={events} paging={paging} path={path} />
      </div>
    </>
  );
}

interface RowProps {
  path: string;
  event: ListedEvent;
  /** Events with another title show theirs. */
  errorTitle: string;
}

function Row({ path, event, errorTitle: common }: RowProps): VNode {
  const { eventId, title, occurredAt, level, environment, release, userLabel } = event;
  return (
    <tr>
      <Cell lead>
        <a class="font-mono" href={`${path}/${eventId}`}>
          {eventId.slice(0, SHOWN_DIGITS)}
        </a>
        {title !== common && <small>{title}</small>}
      </Cell>
      <Cell>
        <Time value={occurredAt} />
      </Cell>
      <Cell>
        <LevelBadge level={level} />
      </Cell>
      <TextCell text={environment} />
      <TextCell text={release} />
      <TextCell text={userLabel} />
    </tr>
  );
}

function TextCell({ text }: { text: string | null }): VNode {
  return (
    <Cell>
      <span class="block sm:max-w-52 sm:truncate" title={text ?? undefined}>
        {text}
      </span>
    </Cell>
  );
}
