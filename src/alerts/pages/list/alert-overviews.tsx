import type { VNode } from 'preact';
import { filledAddress } from '../../../core/ui/addresses.js';
import { sumOf, type ChartBar } from '../../../core/ui/components/bar-chart.js';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/list.js';
import { Sparkline } from '../../../core/ui/components/small-charts.js';
import { tickText, Time } from '../../../core/ui/components/time.js';
import { counted } from '../../../core/ui/amounts.js';
import { TrendChart } from '../../../core/ui/components/trend-chart.js';
import { ALERT_SEVERITIES, severityOf, type AlertSeverity } from '../../alert-values.js';
import type { AlertGroupRow } from '../../sql/alert-groups.js';
import { SEVERITY_SERIES, SeverityBadge } from '../alert-status.js';
import { ACTIVITY_SPANS, type ActivitySpan, type AlertsQuery } from './alert-filters.js';

const SPANS: Record<ActivitySpan, { tab: string; span: string; title: string; unit: string }> = {
  day: { tab: '24 hours', span: 'Last 24 hours', title: 'Alerts per hour', unit: 'Hour (UTC)' },
  month: { tab: '30 days', span: 'Last 30 days', title: 'Alerts per day', unit: 'Day (UTC)' },
};

const TICK_STEP = 3;

/** Number of alerts per severity that started within one hour or one day (UTC). */
export interface AlertActivityPeriod {
  start: Date;
  counts: Record<AlertSeverity, number>;
}

interface ActivityChartProps {
  path: string;
  query: AlertsQuery;
  periods: AlertActivityPeriod[];
}

/** The listed alerts by the time of their start and their severity. */
export function ActivityChart({ path, query, periods }: ActivityChartProps): VNode {
  const { activity } = query;
  const { span, title, unit } = SPANS[activity];
  const bars = periods.map((period, index) => barOf(period, activity, periods.length - 1 - index));
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  return (
    <TrendChart
      id="activity"
      title={title}
      span={span}
      description={`${counted(total, 'alert')} in the ${span.toLowerCase()}, by severity`}
      unit={unit}
      series={SEVERITY_SERIES}
      bars={bars}
    >
      {ACTIVITY_SPANS.map((one) => (
        <a
          key={one}
          href={filledAddress(path, { ...query, activity: one })}
          aria-current={one === activity ? 'true' : undefined}
        >
          {SPANS[one].tab}
        </a>
      ))}
    </TrendChart>
  );
}

/** `left` bars follow: every third one has its time below it, the last one too. */
function barOf({ start, counts }: AlertActivityPeriod, span: ActivitySpan, left: number): ChartBar {
  const iso = start.toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)];
  const values = ALERT_SEVERITIES.map((severity) => counts[severity]);
  const hasTick = left % TICK_STEP === 0;
  if (span === 'day') return { label: `${day} ${time}`, tick: hasTick ? time : null, values };
  return { label: day, tick: hasTick ? tickText(day) : null, values };
}

interface AlertGroupsProps {
  groups: readonly AlertGroupRow[];
  path: string;
  query: AlertsQuery;
}

/** Groups of alerts, each with the alerts of the last 24 hours and a link to its alerts. */
export function AlertGroups({ groups, path, query }: AlertGroupsProps): VNode {
  return (
    <Card flush>
      <ItemList label="Groups of alerts">
        {groups.map((group) => (
          <GroupLine key={group.name} group={group} path={path} query={query} />
        ))}
      </ItemList>
    </Card>
  );
}

function GroupLine({
  group,
  path,
  query,
}: Omit<AlertGroupsProps, 'groups'> & { group: AlertGroupRow }): VNode {
  const { name, alerts, triggered, events, severity, lastStartedAt, trend } = group;
  const chosen = query.group === 'title' ? { title: name } : { environment: name ?? 'None' };
  const recent = trend.reduce((sum, count) => sum + count, 0);
  return (
    <Item
      title={
        <>
          <SeverityBadge severity={severityOf(severity)} />
          <a class="wrap-anywhere" href={filledAddress(path, { ...query, group: null, ...chosen })}>
            {name ?? 'No environment'}
          </a>
        </>
      }
      chips={triggered > 0 && <Badge tone="danger">{`${triggered} firing`}</Badge>}
    >
      <div class="item-facts">
        <span class="max-sm:hidden">
          <Sparkline
            values={trend}
            label={`${counted(recent, 'alert')} started in the last 24 hours`}
          />
        </span>
        <span class="xl:w-20 xl:justify-end">{counted(alerts, 'alert')}</span>
        <span class="xl:w-24 xl:justify-end">{counted(events, 'event')}</span>
        <span class="xl:w-24">
          <Time value={lastStartedAt} />
        </span>
      </div>
    </Item>
  );
}
