import type { VNode } from 'preact';
import { ButtonLink } from '../../../../core/ui/components/button.js';
import { Card, EmptyState, type Fact } from '../../../../core/ui/components/content.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { Viewer } from '../../../../core/access/viewer.js';
import { ProjectFrame } from '../../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ERROR_LEVELS } from '../../../error-values.js';
import { errorTitle, type ErrorRow } from '../../../errors/error-row.js';
import type { EventDetails } from '../../../events/event-details.js';
import type { PlacedEvent } from '../../../events/event-reading.service.js';
import { LevelBadge } from '../../error-badges.js';
import { errorEventsPath, errorPath } from '../../../error-paths.js';
import { EventCards } from './event-cards.js';
import { FactGrid } from './text-parts.js';

interface PlaceProps {
  project: ProjectRow;
  error: ErrorRow;
}

interface EventPageProps extends PlaceProps {
  viewer: Viewer | null;
  /** null when it is not, or no longer, kept. */
  event: PlacedEvent | null;
}

/** One event of an error, whole. */
export function EventPage({ viewer, project, error, event }: EventPageProps): VNode {
  return (
    <ProjectFrame project={project} viewer={viewer} current="errors">
      <div class="grid grid-cols-1 gap-6">
        <p class="wrap-anywhere">
          {'An event of '}
          <a href={errorPath(project, error.id)}>{errorTitle(error)}</a>
        </p>
        {event === null ? (
          <EventGone />
        ) : (
          <>
            <EventHead title="Event" project={project} error={error} event={event} />
            <EventCards details={event.details} />
          </>
        )}
      </div>
    </ProjectFrame>
  );
}

interface EventHeadProps extends PlaceProps {
  title: string;
  event: PlacedEvent;
}

/** Title of an event, with links to the other events. */
export function EventHead({ title, project, error, event }: EventHeadProps): VNode {
  const { details, neighbours } = event;
  const path = errorEventsPath(project, error.id);
  const { older, newer } = neighbours;
  return (
    <Card
      title={title}
      actions={
        <nav class="flex flex-wrap gap-2" aria-label="Events">
          {older !== null && <WayLink href={`${path}/${older}`}>Older</WayLink>}
          {newer !== null && <WayLink href={`${path}/${newer}`}>Newer</WayLink>}
          <WayLink href={path}>All events</WayLink>
          <WayLink href={`${path}/${details.eventId}/raw`}>JSON</WayLink>
        </nav>
      }
    >
      <FactGrid items={factsOf(details, `${path}/${details.eventId}`)} />
    </Card>
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
    <a class="prose-link font-mono wrap-anywhere" href={path}>
      {eventId}
    </a>
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
    { label: 'Event', value: id },
    { label: 'Happened', value: <Time value={occurredAt} /> },
    ...(isLate ? [{ label: 'Received', value: <Time value={receivedAt} /> }] : []),
    { label: 'Level', value: <LevelBadge level={ERROR_LEVELS.indexOf(details.level)} /> },
    { label: 'Environment', value: environment },
    ...optional.flatMap(([label, text]) =>
      text === null || text === '' ? [] : [{ label, value: text }],
    ),
  ];
}

/** Events arrive within seconds; the page marks those that came much later. */
const LATE_MS = 60_000;

/** An event that cannot be shown, and why that can be. */
export function EventGone(): VNode {
  return (
    <EmptyState title="The event is not here">
      Events are kept for a time only, and of errors that happen very often not each one is stored.
      The counts include all of them.
    </EmptyState>
  );
}
