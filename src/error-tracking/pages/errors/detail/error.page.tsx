import type { VNode, ComponentChildren } from 'preact';
import { FormErrors } from '../../../../core/ui/components/form-errors.js';
import type { FormProblems } from '../../../../core/ui/form-errors.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { type ErrorGroupRow, errorTitle } from '../../../errors/error-group.js';
import type { TagDistribution } from '../../../error-statistics.repository.js';
import type { EventWithNeighbours } from '../../../events/event-reading.service.js';
import { errorPath, errorsPath } from '../../../error-paths.js';
import { EventCards } from '../event/event-cards.js';
import { EventGone, EventHead } from '../event/event.page.js';
import { mayChangeErrors } from '../list/error-listings.service.js';
import {
  statusLabel,
  statusOf,
  LevelBadge,
  StatusBadge,
  UrgencyBadges,
} from '../../error-badges.js';
import {
  ErrorIssueCard,
  TagsCard,
  TrendChart,
  type TrendPoint,
  type TrendSpan,
} from './error-cards.js';
import { countText } from '../../../../core/ui/amounts.js';
import { Card, type Fact, PageHeader } from '../../../../core/ui/components/content.js';
import { Time } from '../../../../core/ui/components/time.js';
import { FactGrid, LongText } from '../event/text-parts.js';
import { usersText } from '../list/error-line.js';
import { PostButton } from '../../../../core/ui/components/form.js';
import type { ErrorStatus } from '../../../error-values.js';

/** Input of a rejected form of the page. */
interface RefusedLink {
  errors: FormProblems;
  issueIid: string;
}

/** Error and viewer of the page. */
export interface ErrorPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  error: ErrorGroupRow;
  span: TrendSpan;
  points: TrendPoint[];
  tags: TagDistribution[];
  /** Null if no event is stored. */
  newest: EventWithNeighbours | null;
  refused?: RefusedLink;
}

/** An error: how often and where it happens, its newest event, and what can be done. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { pageContext, project, error, span, points, newest, refused } = props;
  const mayChange = mayChangeErrors(project, pageContext.viewer);
  return (
    <>
      <div class="grid grid-cols-1 gap-4">
        <ErrorHeading {...{ project, error, mayChange }} csrfToken={pageContext.csrfToken} />
        <FormErrors errors={refused?.errors} />
        <ErrorFacts error={error} />
        <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div class="grid grid-cols-1 gap-4">
            <TrendChart span={span} points={points} path={errorPath(project, error.id)} />
            {newest === null ? (
              <EventGone />
            ) : (
              <>
                <EventHead title="Newest event" {...{ project, error }} event={newest} />
                <EventCards details={newest.details} />
              </>
            )}
          </div>
          <Side {...props} mayChange={mayChange} />
        </div>
      </div>
    </>
  );
}

function Side(props: ErrorPageProps & { mayChange: boolean }): VNode {
  const { pageContext, project, error, tags, refused, mayChange } = props;
  const mayCreate = canInProject('create_issue', { ...project, viewer: pageContext.viewer });
  return (
    <div class="grid grid-cols-1 gap-4">
      {project.issuesEnabled && (
        <ErrorIssueCard
          {...{ project, error, mayChange, mayCreate }}
          csrfToken={pageContext.csrfToken}
          issueIid={refused?.issueIid ?? ''}
          errors={refused?.errors ?? null}
        />
      )}
      <TagsCard project={project} tags={tags} />
    </div>
  );
}

/** Event count, affected users, first and last event, and releases. */
function ErrorFacts({ error }: { error: ErrorGroupRow }): VNode {
  const items: Fact[] = [
    { label: 'Events', value: countText(error.eventsCount) },
    { label: 'Users', value: usersText(error.usersCount) },
    { label: 'First seen', value: <Time value={error.firstSeenAt} /> },
    { label: 'Last seen', value: <Time value={error.lastSeenAt} /> },
    { label: 'First release', value: releaseOf(error.firstRelease) },
    { label: 'Last release', value: releaseOf(error.lastRelease) },
    { label: 'Platform', value: error.platform },
    ...loggerFact(error),
    ...changeFact(error),
    ...regressionFact(error),
  ];
  return (
    <Card>
      <FactGrid items={items} />
    </Card>
  );
}

function releaseOf(release: string | null): ComponentChildren {
  return release && <span class="wrap-anywhere">{release}</span>;
}

function loggerFact({ logger }: ErrorGroupRow): Fact[] {
  if (logger === null || logger === '') return [];
  return [{ label: 'Logger', value: <span class="wrap-anywhere">{logger}</span> }];
}

function changeFact(error: ErrorGroupRow): Fact[] {
  const { statusChangedAt, statusChangedBy } = error;
  if (statusChangedAt === null) return [];
  const value = (
    <>
      <Time value={statusChangedAt} />
      {statusChangedBy !== null && (
        <>
          {' by '}
          <a href={`/${statusChangedBy}`}>@{statusChangedBy}</a>
        </>
      )}
    </>
  );
  const isByPerson = statusOf(error) !== 'unresolved';
  return [{ label: isByPerson ? statusLabel(statusOf(error)) : 'Status changed', value }];
}

function regressionFact({ regressedAt }: ErrorGroupRow): Fact[] {
  return regressedAt === null ? [] : [{ label: 'Regressed', value: <Time value={regressedAt} /> }];
}

const STEPS: Record<ErrorStatus, { to: ErrorStatus; label: string }[]> = {
  unresolved: [
    { to: 'resolved', label: 'Resolve' },
    { to: 'ignored', label: 'Ignore' },
  ],
  resolved: [{ to: 'unresolved', label: 'Unresolve' }],
  ignored: [
    { to: 'resolved', label: 'Resolve' },
    { to: 'unresolved', label: 'Unignore' },
  ],
};

interface ErrorHeadingProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  mayChange: boolean;
  csrfToken: string;
}

/** Title, status and actions of an error. */
function ErrorHeading({ project, error, ...rest }: ErrorHeadingProps): VNode {
  const { type, value, culprit } = error;
  const hasType = type !== null && type !== '';
  return (
    <>
      <PageHeader
        title={hasType ? type : errorTitle(error)}
        actions={
          rest.mayChange && <Steps project={project} error={error} csrfToken={rest.csrfToken} />
        }
        meta={
          <>
            <StatusBadge status={statusOf(error)} />
            <LevelBadge level={error.level} />
            <UrgencyBadges error={error} />
            <span class="font-mono text-xs wrap-anywhere">{culprit}</span>
          </>
        }
      />
      {hasType && value !== null && value !== '' && (
        <div>
          <LongText text={value} />
        </div>
      )}
    </>
  );
}

function Steps({ project, error, csrfToken }: Omit<ErrorHeadingProps, 'mayChange'>): VNode {
  return (
    <div class="flex flex-wrap gap-2">
      {STEPS[statusOf(error)].map(({ to, label }, index) => (
        <PostButton
          key={to}
          action={`${errorsPath(project)}/${error.id}/status`}
          csrfToken={csrfToken}
          fields={{ status: to }}
          variant={index === 0 ? 'primary' : 'outline'}
        >
          {label}
        </PostButton>
      ))}
    </div>
  );
}
