import type { VNode } from 'preact';
import { countText } from '../../../../core/ui/amounts.js';
import { Avatar } from '../../../../core/ui/components/avatar.js';
import { Badge } from '../../../../core/ui/components/content.js';
import { Sparkline } from '../../../../core/ui/components/sparkline.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorTitle, type ErrorGroupRow } from '../../../errors/error-group.js';
import { LevelBadge, StatusBadge, statusOf, UrgencyBadges } from '../../error-badges.js';
import { errorPath, issuePath } from '../../../error-paths.js';

/** Users are counted up to here. */
const MOST_USERS = 10_000;

interface ErrorLineProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  /** Events of each of the last 24 hours. */
  trend: readonly number[];
  /** Errors first seen since are marked as new. */
  newSince: Date;
  /** ID of the form that its checkbox belongs to; null without permission to change errors. */
  form: string | null;
  /** True if the list contains several statuses. */
  showsStatus: boolean;
}

/** An error in a list. */
export function ErrorLine({ project, error, trend, form, ...props }: ErrorLineProps): VNode {
  const title = errorTitle(error);
  const isNew = error.firstSeenAt >= props.newSince;
  return (
    <li id={`error-${error.id}`} class="item">
      {form !== null && <Tick form={form} id={error.id} title={title} />}
      <div class="min-w-0 flex-1 basis-72">
        <div class="item-title flex-nowrap">
          <LevelBadge level={error.level} />
          <TitleLink href={errorPath(project, error.id)} error={error} title={title} />
        </div>
        <ul class="item-detail mt-0.5 flex flex-wrap items-center gap-x-2">
          {props.showsStatus && (
            <li>
              <StatusBadge status={statusOf(error)} />
            </li>
          )}
          <li class="flex gap-2 empty:hidden">
            {isNew && <Badge tone="info">New</Badge>}
            <UrgencyBadges error={error} />
          </li>
          <Summary project={project} error={error} title={title} />
        </ul>
      </div>
      <div class="text-muted-foreground flex flex-none items-center gap-3 tabular-nums max-sm:pl-7 sm:ml-auto">
        <span class="max-sm:hidden">
          <Sparkline values={trend} label={trendText(trend)} />
        </span>
        <Count value={countText(error.eventsCount)} noun={nounOf(error.eventsCount, 'event')} />
        <Count value={usersText(error.usersCount)} noun={nounOf(error.usersCount, 'user')} />
        <span class="text-right sm:w-28" title="Last seen">
          <span class="sr-only">Last seen </span>
          <Time value={error.lastSeenAt} />
        </span>
        <span class="flex w-6 max-sm:empty:hidden">
          {error.assignee !== null && <Assignee {...error.assignee} />}
        </span>
      </div>
    </li>
  );
}

function Assignee(user: NonNullable<ErrorGroupRow['assignee']>): VNode {
  return (
    <a href={`/${user.username}`} title={`Assigned to ${user.name}`}>
      <span class="sr-only">{`Assigned to ${user.name}`}</span>
      <Avatar name={user.name} owner={user} />
    </a>
  );
}

/** Checkbox that survives a refresh of the list, so that the selection stays. */
function Tick({ form, id, title }: { form: string; id: number; title: string }): VNode {
  return (
    <div id={`tick-${id}`} hx-morph-skip="true" class="flex">
      <input
        type="checkbox"
        form={form}
        name="error_ids[]"
        value={id}
        aria-label={`Select ${title}`}
      />
    </div>
  );
}

interface TitleProps {
  href: string;
  error: ErrorGroupRow;
  title: string;
}

/** The type is highlighted; the message follows. */
function TitleLink({ href, error: { type }, title }: TitleProps): VNode {
  if (type === null || type === '' || !title.startsWith(`${type}: `)) {
    return (
      <a class="min-w-0 max-sm:line-clamp-2 sm:truncate" href={href}>
        {title}
      </a>
    );
  }
  return (
    <a class="min-w-0 max-sm:line-clamp-2 sm:truncate" href={href}>
      <strong class="font-semibold">{type}</strong>
      <span class="font-normal">{title.slice(type.length)}</span>
    </a>
  );
}

/** Culprit, first event and issue of an error, in a line. */
function Summary({ project, error, title }: Omit<TitleProps, 'href'> & SummaryPageContext): VNode {
  const { culprit, firstSeenAt, issue } = error;
  return (
    <>
      {culprit !== '' && culprit !== title && <li class="font-mono">{culprit}</li>}
      <li>
        First seen <Time value={firstSeenAt} />
      </li>
      {issue !== null && (
        <li>
          <a href={issuePath(project, issue.iid)}>{`Issue #${issue.iid}`}</a>
          {issue.state === 'closed' && ' (closed)'}
        </li>
      )}
    </>
  );
}

interface SummaryPageContext {
  project: ProjectRow;
}

function Count({ value, noun }: { value: string; noun: string }): VNode {
  return (
    <span class="text-right whitespace-nowrap sm:w-24">
      <span class="text-foreground">{value}</span> {noun}
    </span>
  );
}

function nounOf(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** `10,000+` for the most that is counted. */
export function usersText(count: number): string {
  return count >= MOST_USERS ? `${countText(MOST_USERS)}+` : countText(count);
}

function trendText(trend: readonly number[]): string {
  const total = trend.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No events in the last 24 hours';
  const most = Math.max(...trend);
  const noun = nounOf(total, 'event');
  return `${countText(total)} ${noun} in the last 24 hours, at most ${countText(most)} in an hour`;
}
