import type { VNode } from 'preact';
import type { ChartSeries } from '../../core/ui/components/bar-chart.js';
import { Badge, type Tone } from '../../core/ui/components/content.js';
import { ALERT_SEVERITIES, type AlertSeverity, type AlertStatus } from '../alert-values.js';

interface SeverityLook extends ChartSeries {
  tone: Tone;
}

const SEVERITY_LOOKS: Record<AlertSeverity, SeverityLook> = {
  critical: { label: 'Critical', tone: 'danger', fill: 'fill-red-700 dark:fill-red-400' },
  high: { label: 'High', tone: 'warning', fill: 'fill-orange-500 dark:fill-orange-300' },
  medium: { label: 'Medium', tone: 'info', fill: 'fill-yellow-600 dark:fill-yellow-300' },
  low: { label: 'Low', tone: 'neutral', fill: 'fill-sky-600 dark:fill-sky-400' },
  info: { label: 'Info', tone: 'neutral', fill: 'fill-teal-600 dark:fill-teal-300' },
  unknown: { label: 'Unknown', tone: 'neutral', fill: 'fill-slate-500 dark:fill-slate-400' },
};

const STATUS_LOOKS: Record<AlertStatus, { label: string; tone: Tone }> = {
  triggered: { label: 'Triggered', tone: 'danger' },
  acknowledged: { label: 'Acknowledged', tone: 'warning' },
  resolved: { label: 'Resolved', tone: 'success' },
  ignored: { label: 'Ignored', tone: 'neutral' },
};

/** Severities as a chart shows them, in the order of their numbers. */
export const SEVERITY_SERIES: ChartSeries[] = ALERT_SEVERITIES.map((one) => SEVERITY_LOOKS[one]);

/** The word for a severity. */
export function severityLabel(severity: AlertSeverity): string {
  return SEVERITY_LOOKS[severity].label;
}

/** The word for a status. */
export function statusLabel(status: AlertStatus): string {
  return STATUS_LOOKS[status].label;
}

/** Severity as a word, in its chart color. */
export function SeverityBadge({ severity }: { severity: AlertSeverity }): VNode {
  const { label, tone, fill } = SEVERITY_LOOKS[severity];
  return (
    <Badge tone={tone}>
      <svg viewBox="0 0 10 10" class="size-2" aria-hidden="true">
        <circle cx={5} cy={5} r={5} class={fill} />
      </svg>
      {label}
    </Badge>
  );
}

/** Status of the alert. */
export function StatusBadge({ status }: { status: AlertStatus }): VNode {
  const { label, tone } = STATUS_LOOKS[status];
  return <Badge tone={tone}>{label}</Badge>;
}
