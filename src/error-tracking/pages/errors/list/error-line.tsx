import type { VNode } from 'preact';
import { countText } from '../../../../core/ui/amounts.js';
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
  /** ID of the form that its checkbox belongs to; null without permission to change errors. */
  form: string | null;
  /** True if the list contains several statuses. */
  showsStatus: boolean;
}

/** An error in a list. */
export function ErrorLine({ project, error, trend, form, showsStatus }: ErrorLineProps): VNode {
  const title = errorTitle(error);
  return (
    <li id={`error-${error.id}`} class="item">
      <div class="flex min-w-0 grow basis-80 gap-3">
        {form !== null && <Tick form={form} id={error.id} title={title} />}
        <div class="grid min-w-0 grid-cols-1 gap-1">
          <div class="flex flex-wrap items-center gap-x-2 gap-y-1">
            <LevelBadge level={error.level} />
            <TitleLink href={errorPath(project, error.id)} error={error} title={title} />
            {showsStatus && <StatusBadge status={statusOf(error)} />}
            <UrgencyBadges error={error} />
          </div>
          <Summary project={project} error={error} title={title} />
        </div>
      </div>
      <div class="flex items-center gap-4">
        <Sparkline values={trend} label={trendText(trend)} />
        <Count value={countText(error.eventsCount)} noun={nounOf(error.eventsCount, 'event')} />
        <Count value={usersText(error.usersCount)} noun={nounOf(error.usersCount, 'user')} />
      </div>
    </li>
  );
}

/** Checkbox that survives a refresh of the list, so that the selection stays. */
function Tick({ form, id, title }: { form: string; id: number; title: string }): VNode {
  return (
    <div id={`tick-${id}`} hx-morph-skip="true" class="pt-0.5">
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
      <a class="prose-link line-clamp-3 font-medium wrap-anywhere" href={href}>
        {title}
      </a>
    );
  }
  return (
    <a class="prose-link line-clamp-3 wrap-anywhere" href={href}>
      <strong class="font-semibold">{type}</strong>
      {title.slice(type.length)}
    </a>
  );
}

/** Culprit, dates and issue of an error, in a line or two. */
function Summary({ project, error, title }: Omit<TitleProps, 'href'> & SummaryPageContext): VNode {
  const { culprit, firstSeenAt, lastSeenAt, issue } = error;
  return (
    <ul class="text-muted-foreground flex flex-wrap gap-x-4 gap-y-0.5">
      {culprit !== '' && culprit !== title && (
        <li class="font-mono text-[0.8125rem]/5 wrap-anywhere">{culprit}</li>
      )}
      <li>
        Last seen <Time value={lastSeenAt} />
      </li>
      <li>
        First seen <Time value={firstSeenAt} />
      </li>
      {issue !== null && (
        <li>
          <a class="prose-link" href={issuePath(project, issue.iid)}>
            {`Issue #${issue.iid}`}
          </a>
          {issue.state === 'closed' && ' (closed)'}
        </li>
      )}
    </ul>
  );
}

interface SummaryPageContext {
  project: ProjectRow;
}

function Count({ value, noun }: { value: string; noun: string }): VNode {
  return (
    <div class="w-16 text-right">
      <span class="font-semibold tabular-nums">{value}</span>
      <span class="text-muted-foreground block text-xs">{noun}</span>
    </div>
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
