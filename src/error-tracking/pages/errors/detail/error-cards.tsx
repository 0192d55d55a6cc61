import type { VNode } from 'preact';
import { Button } from '../../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../../core/ui/components/confirm-button.js';
import { Card } from '../../../../core/ui/components/content.js';
import { Form, PostButton } from '../../../../core/ui/components/form.js';
import { TextField } from '../../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../../core/ui/form-errors.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import type { ErrorIssue, ErrorGroupRow } from '../../../errors/error-group.js';
import { errorsPath, issuePath } from '../../../error-paths.js';
import type { TagDistribution } from '../../../error-statistics.repository.js';
import { Fold } from '../event/text-parts.js';
import { errorsAddress } from '../list/errors-query.js';
import { counted } from '../../../../core/ui/amounts.js';
import {
  BarChart,
  type ChartBar,
  type ChartSeries,
} from '../../../../core/ui/components/bar-chart.js';
import { sumOf } from '../../../../core/ui/components/chart-numbers.js';
import { Tabs } from '../../../../core/ui/components/tabs.js';

interface ErrorIssueCardProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  csrfToken: string;
  mayChange: boolean;
  mayCreate: boolean;
  /** As it was typed in. */
  issueIid: string;
  errors: FormProblems | null;
}

/** The issue in which the error is worked on: opened, linked or unlinked here. */
export function ErrorIssueCard(props: ErrorIssueCardProps): VNode | null {
  const { error, mayChange } = props;
  if (error.issue === null && !mayChange) return null;
  return (
    <Card title="Issue">
      {error.issue === null ? <NoIssue {...props} /> : <Linked {...props} issue={error.issue} />}
    </Card>
  );
}

function Linked(props: ErrorIssueCardProps & { issue: ErrorIssue }): VNode {
  const { project, error, csrfToken, mayChange, issue } = props;
  return (
    <>
      <p class="wrap-anywhere">
        <a href={issuePath(project, issue.iid)}>
          #{issue.iid} {issue.title}
        </a>
        {issue.state === 'closed' && ' (closed)'}
      </p>
      {mayChange && (
        <ConfirmButton
          label="Unlink"
          question="The error and the issue both stay, but know nothing of each other."
          confirm="Unlink the issue"
          action={`${errorsPath(project)}/${error.id}/issue/unlink`}
          csrfToken={csrfToken}
          variant="outline"
          size="small"
        />
      )}
    </>
  );
}

function NoIssue(props: ErrorIssueCardProps): VNode {
  const { project, error, csrfToken, mayCreate, issueIid, errors } = props;
  const action = `${errorsPath(project)}/${error.id}/issue`;
  return (
    <>
      {mayCreate && (
        <div>
          <PostButton action={action} csrfToken={csrfToken}>
            Create issue
          </PostButton>
        </div>
      )}
      <Form action={`${action}/link`} csrfToken={csrfToken} label="Link an issue">
        <TextField
          name="issue_iid"
          label={mayCreate ? 'Or link an existing issue' : 'Link an existing issue'}
          hint="e.g. #7"
          value={issueIid}
          errors={errors?.fields['issue_iid']}
          pattern="#?[0-9]+"
          required
        />
        <div>
          <Button variant="outline">Link issue</Button>
        </div>
      </Form>
    </>
  );
}

interface TagsCardProps {
  project: ProjectRow;
  tags: TagDistribution[];
}

const MOST_KEYS = 8;
const MOST_VALUES = 4;

/** Of each tag, which values events had how often; links lead to errors with the same value. */
export function TagsCard({ project, tags }: TagsCardProps): VNode | null {
  if (tags.length === 0) return null;
  return (
    <Card title="Tags">
      <Fold
        items={tags.map((tag) => (
          <TagPart key={tag.key} project={project} tag={tag} />
        ))}
        limit={MOST_KEYS}
        noun="tags"
        frame={(some) => <div class="grid grid-cols-1 gap-4">{some}</div>}
      />
    </Card>
  );
}

function TagPart({ project, tag }: { project: ProjectRow; tag: TagDistribution }): VNode {
  const { key, total, values } = tag;
  const shown = values.slice(0, MOST_VALUES);
  const others = total - shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="grid grid-cols-1 gap-1 text-sm">
      <h3 class="text-sm font-semibold wrap-anywhere">{key}</h3>
      <ul class="grid grid-cols-1 gap-1.5">
        {shown.map(({ value, count }) => (
          <li key={value}>
            <a class="prose-link wrap-anywhere" href={addressOf(project, key, value)}>
              {value === '' ? '(empty)' : value}
            </a>
            <Share label={`${key}: ${value}`} count={count} total={total} />
          </li>
        ))}
        {others > 0 && (
          <li>
            Others
            <Share label={`${key}: others`} count={others} total={total} />
          </li>
        )}
      </ul>
    </section>
  );
}

function Share(props: { label: string; count: number; total: number }): VNode {
  const { label, count, total } = props;
  const share = Math.round((count / total) * 100);
  return (
    <div class="flex items-center gap-2">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        class="bg-muted h-1.5 w-full grow rounded-full"
        role="img"
        aria-label={`${label}: ${share} %`}
      >
        <rect width={share} height={6} rx={1} class="fill-sky-700 dark:fill-sky-400" />
      </svg>
      <span
        class="text-muted-foreground w-12 text-right text-xs whitespace-nowrap tabular-nums"
        aria-hidden="true"
      >
        {share} %
      </span>
    </div>
  );
}

/** Environments and releases have filters of their own. */
function addressOf(project: ProjectRow, key: string, value: string): string {
  const path = errorsPath(project);
  if (key === 'environment' || key === 'release') {
    return errorsAddress(path, { status: 'all', [key]: value });
  }
  return errorsAddress(path, { status: 'all', tag: `${key}:${value}` });
}

/** Time spans of the chart. */
export const TREND_SPANS = ['day', 'month'] as const;
export type TrendSpan = (typeof TREND_SPANS)[number];

/** Number of events in an hour or on a day. */
export interface TrendPoint {
  /** ISO 8601 in UTC: `2026-03-01T10`, `2026-03-01`. */
  start: string;
  count: number;
}

interface TrendChartProps {
  span: TrendSpan;
  points: TrendPoint[];
  /** The page without a span. */
  path: string;
}

const SPANS: Record<TrendSpan, { tab: string; title: string; unit: string }> = {
  day: { tab: 'Last 24 hours', title: 'Events per hour', unit: 'Hour (UTC)' },
  month: { tab: 'Last 30 days', title: 'Events per day', unit: 'Day (UTC)' },
};

const SERIES: ChartSeries[] = [{ label: 'Events', fill: 'fill-sky-700 dark:fill-sky-400' }];
const TICK_STEP = 3;

/** Chart of the error's events over time, stored or not. */
export function TrendChart({ span, points, path }: TrendChartProps): VNode {
  const { tab, title, unit } = SPANS[span];
  const bars = points.map((point, index) => barOf(point, span, points.length - 1 - index));
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  const hrefOf = (one: TrendSpan): string => `${path}?span=${one}`;
  const items = TREND_SPANS.map((one) => ({ label: SPANS[one].tab, href: hrefOf(one) }));
  const tabs = <Tabs label="Time of the chart" items={items} current={hrefOf(span)} />;
  return (
    <Card title={title} actions={tabs}>
      {total === 0 ? (
        <p class="text-muted-foreground">No events in this period.</p>
      ) : (
        <BarChart
          id="trend"
          title={title}
          description={`${counted(total, 'event')} in the ${tab.toLowerCase()}. The numbers are in the table below.`}
          unit={unit}
          series={SERIES}
          bars={bars}
        />
      )}
    </Card>
  );
}

/** `left` bars follow: every third one has its time below it, the last one too. */
function barOf({ start, count }: TrendPoint, span: TrendSpan, left: number): ChartBar {
  const [day = '', hour = ''] = start.split('T');
  const hasTick = left % TICK_STEP === 0;
  if (span === 'month') return { label: day, tick: hasTick ? day.slice(5) : null, values: [count] };
  return { label: `${day} ${hour}:00`, tick: hasTick ? `${hour}:00` : null, values: [count] };
}
