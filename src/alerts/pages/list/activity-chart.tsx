import type { VNode } from 'preact';
import { counted } from '../../../core/ui/amounts.js';
import { BarChart, type ChartBar } from '../../../core/ui/components/bar-chart.js';
import { sumOf } from '../../../core/ui/components/chart-numbers.js';
import { Card } from '../../../core/ui/components/content.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { ALERT_SEVERITIES } from '../../alert-values.js';
import type { AlertActivityPeriod } from '../../management/alert-activity.service.js';
import { ACTIVITY_SPANS, type ActivitySpan } from './alerts-query.js';
import { SEVERITY_SERIES } from '../alert-badges.js';

interface ActivityChartProps {
  span: ActivitySpan;
  periods: AlertActivityPeriod[];
  /** Of the page for each span. */
  hrefs: Record<ActivitySpan, string>;
}

const SPANS: Record<ActivitySpan, { tab: string; title: string; unit: string }> = {
  day: { tab: 'Last 24 hours', title: 'New alerts per hour', unit: 'Hour (UTC)' },
  month: { tab: 'Last 30 days', title: 'New alerts per day', unit: 'Day (UTC)' },
};

const TICK_STEP = 3;

/** Chart of the alerts over time, by severity. */
export function ActivityChart({ span, periods, hrefs }: ActivityChartProps): VNode {
  const { title, unit } = SPANS[span];
  const bars = periods.map((period, index) =>
    barOf(period, { span, left: periods.length - 1 - index }),
  );
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  const tabs = (
    <Tabs
      label="Time of the chart"
      variant="pills"
      items={ACTIVITY_SPANS.map((one) => ({ label: SPANS[one].tab, href: hrefs[one] }))}
      current={hrefs[span]}
    />
  );
  return (
    <Card title={title} actions={tabs}>
      {total === 0 ? (
        <p class="text-muted-foreground">No alert came in this time.</p>
      ) : (
        <BarChart
          id="activity"
          title={title}
          description={`${counted(total, 'alert')} in the ${SPANS[span].tab.toLowerCase()}, by severity. The numbers are in the table below.`}
          unit={unit}
          series={SEVERITY_SERIES}
          bars={bars}
        />
      )}
    </Card>
  );
}

/** `left` bars follow: every third one has its time below it, the last one too. */
function barOf(
  { start, counts }: AlertActivityPeriod,
  { span, left }: { span: ActivitySpan; left: number },
): ChartBar {
  const iso = start.toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)];
  const values = ALERT_SEVERITIES.map((severity) => counts[severity]);
  const hasTick = left % TICK_STEP === 0;
  if (span === 'day') return { label: `${day} ${time}`, tick: hasTick ? time : null, values };
  return { label: day, tick: hasTick ? day.slice(5) : null, values };
}
