import type { VNode, ComponentChildren } from 'preact';
import { FormErrors } from '../../../../core/ui/components/form.js';
import type { FormProblems } from '../../../../core/ui/forms.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { type ErrorGroupRow, errorTitle } from '../../../errors/error-group.js';
import type { TagDistribution } from '../../../error-statistics.repository.js';
import { errorPath } from '../../../error-paths.js';
import type { EventWithNeighbours } from '../../../events/event-reading.service.js';
import { EventCards } from '../event/event-cards.js';
import { EventGone, EventPart } from '../event/event.page.js';
import {
  statusLabel,
  statusOf,
  LevelBadge,
  StatusBadge,
  UrgencyBadges,
} from '../../error-badges.js';
import type { AssigneeCandidate } from '../../../errors/error-groups.repository.js';
import { ErrorIssueCard, TagsCard } from './error-cards.js';
import { ActivityPart, AssigneePart, MergedPart } from './error-parts.js';
import { TrendChart, type TrendPoint, type TrendSpan } from './trend-chart.js';
import { counted } from '../../../../core/ui/amounts.js';
import {
  Card,
  DescriptionList,
  type Fact,
  PageHeader,
} from '../../../../core/ui/components/content.js';
import { Time } from '../../../../core/ui/components/time.js';
import { LongText, SidePart } from '../event/text-parts.js';
import { usersText } from '../list/error-line.js';
import { StatusActions } from './status-menu.js';
import type { MergedError } from '../../../merges/error-merges.repository.js';
import type { ErrorActivityRow } from '../../../error-activities.repository.js';

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
  mayChange: boolean;
  /** Users to whom the error can be assigned; none unless the viewer can. */
  candidates: AssigneeCandidate[];
  merged: MergedError[];
  /** Last changes, newest first. */
  activities: ErrorActivityRow[];
  /** Null if no event is stored. */
  newest: EventWithNeighbours | null;
  refused?: RefusedLink;
}

/** An error: the stack trace of its newest event first, its numbers and tags beside it. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { pageContext, project, error, newest, mayChange, refused } = props;
  return (
    <div class="grid grid-cols-1 gap-4">
      <ErrorHeading {...{ project, error, mayChange }} csrfToken={pageContext.csrfToken} />
      <FormErrors errors={refused?.errors} />
      <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div class="grid grid-cols-1 gap-4">
          {newest === null ? (
            <>
              <WholeMessage error={error} />
              <EventGone />
            </>
          ) : (
            <EventCards details={newest.details} project={project} title={errorTitle(error)} />
          )}
        </div>
        <Side {...props} />
      </div>
    </div>
  );
}

/** The message of an error whose title has only its beginning. */
function WholeMessage({ error }: { error: ErrorGroupRow }): VNode | null {
  const { value } = error;
  if (value === null || errorTitle(error).endsWith(value)) return null;
  return (
    <Card title="Message">
      <LongText text={value} />
    </Card>
  );
}

function Side(props: ErrorPageProps): VNode {
  const { pageContext, project, error, span, points, tags, newest, refused, mayChange } = props;
  const mayCreate = canInProject('create_issue', { ...project, viewer: pageContext.viewer });
  return (
    <div class="grid grid-cols-1 gap-3">
      <TrendChart span={span} points={points} path={errorPath(project, error.id)} />
      {newest !== null && (
        <EventPart title="Newest event" project={project} error={error} event={newest} />
      )}
      <AssigneePart {...props} />
      {project.issuesEnabled && (
        <ErrorIssueCard
          {...{ project, error, mayChange, mayCreate }}
          csrfToken={pageContext.csrfToken}
          issueIid={refused?.issueIid ?? ''}
          errors={refused?.errors ?? null}
        />
      )}
      <SidePart title="History">
        <DescriptionList items={factsOf(error)} />
      </SidePart>
      <TagsCard project={project} tags={tags} />
      <MergedPart
        {...{ project, mayChange }}
        errorId={error.id}
        merged={props.merged}
        csrfToken={pageContext.csrfToken}
      />
      <ActivityPart activities={props.activities} />
    </div>
  );
}

/** First and last event, releases and changes. */
function factsOf(error: ErrorGroupRow): Fact[] {
  return [
    { label: 'First seen', value: <Time value={error.firstSeenAt} /> },
    { label: 'Last seen', value: <Time value={error.lastSeenAt} /> },
    { label: 'First release', value: releaseOf(error.firstRelease) },
    { label: 'Last release', value: releaseOf(error.lastRelease) },
    { label: 'Platform', value: error.platform },
    ...loggerFact(error),
    ...changeFact(error),
    ...conditionFact(error),
    ...regressionFact(error),
  ];
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

/** The condition that ends the status. */
function conditionFact({
  resolvedRelease,
  ignoredUntil,
  ignoredUntilCount,
  eventsCount,
}: ErrorGroupRow): Fact[] {
  if (resolvedRelease !== null) {
    const value = <span class="wrap-anywhere">Releases after {resolvedRelease}</span>;
    return [{ label: 'Resolved in', value }];
  }
  const ends: Fact[] = [];
  if (ignoredUntil !== null) {
    ends.push({ label: 'Ignored until', value: <Time value={ignoredUntil} /> });
  }
  if (ignoredUntilCount !== null) {
    const left = Math.max(0, ignoredUntilCount - eventsCount);
    ends.push({ label: 'Ignored for', value: `${counted(left, 'more event')}` });
  }
  return ends;
}

function regressionFact({ regressedAt }: ErrorGroupRow): Fact[] {
  return regressedAt === null ? [] : [{ label: 'Regressed', value: <Time value={regressedAt} /> }];
}

interface ErrorHeadingProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  mayChange: boolean;
  csrfToken: string;
}

/** Title, status, numbers and actions of an error. */
function ErrorHeading({ project, error, ...rest }: ErrorHeadingProps): VNode {
  const { culprit, eventsCount, usersCount, lastSeenAt } = error;
  return (
    <PageHeader
      title={<span class="line-clamp-2">{errorTitle(error)}</span>}
      actions={
        rest.mayChange && (
          <StatusActions project={project} error={error} csrfToken={rest.csrfToken} />
        )
      }
      meta={
        <>
          <StatusBadge status={statusOf(error)} />
          <LevelBadge level={error.level} />
          <UrgencyBadges error={error} />
          <span class="font-mono text-xs wrap-anywhere">{culprit}</span>
          <span>
            {counted(eventsCount, 'event')} · {usersText(usersCount)}{' '}
            {usersCount === 1 ? 'user' : 'users'}
          </span>
          <span>
            Last seen <Time value={lastSeenAt} />
          </span>
        </>
      }
    />
  );
}
