import type { VNode } from 'preact';
import { counted } from '../../ui/amounts.js';
import { BarChart, type ChartBar, type ChartSeries } from '../../ui/components/bar-chart.js';
import { sumOf } from '../../ui/components/chart-numbers.js';
import { Card } from '../../ui/components/content.js';
import type { MailDayCounts } from '../outgoing-mails.repository.js';

const TICK_STEP = 3;

const SERIES: ChartSeries[] = [
  { label: 'Sent', fill: 'fill-emerald-700 dark:fill-emerald-400' },
  { label: 'Failed', fill: 'fill-red-700 dark:fill-red-400' },
];

/** Sent and failed emails per day. */
export function MailChart({ days }: { days: MailDayCounts[] }): VNode {
  const title = 'Mails per day';
  const bars = days.map((day, index) => barOf(day, days.length - 1 - index));
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  return (
    <Card title={title}>
      {total === 0 ? (
        <p class="text-muted-foreground">No mail was sent in the last {days.length} days.</p>
      ) : (
        <BarChart
          id="mails"
          title={title}
          description={`${counted(total, 'mail')} in the last ${days.length} days, sent or failed. The numbers are in the table below.`}
          unit="Day (UTC)"
          series={SERIES}
          bars={bars}
        />
      )}
    </Card>
  );
}

/** `left` bars follow: every third one has its day below it, the last one too. */
function barOf({ day, sent, failed }: MailDayCounts, left: number): ChartBar {
  return { label: day, tick: left % TICK_STEP === 0 ? day.slice(5) : null, values: [sent, failed] };
}
