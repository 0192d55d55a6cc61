import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/auth-context.js';
import type { ChartSeries } from '../../core/ui/components/bar-chart.js';
import { counted } from '../../core/ui/amounts.js';
import { Badge, type Tone } from '../../core/ui/components/content.js';
import { Sparkline } from '../../core/ui/components/small-charts.js';
import { ALERT_SEVERITIES, type AlertSeverity, type AlertStatus } from '../alert-values.js';
import type { ButtonVariant } from '../../core/ui/components/button.js';
import { PostButton } from '../../core/ui/components/form.js';
import { canInProject } from '../../identity/members/abilities.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';

interface SeverityLook extends ChartSeries {
  tone: Tone;
}

const SEVERITY_LOOKS: Record<AlertSeverity, SeverityLook> = {
  critical: { label: 'Critical', tone: 'critical', fill: 'fill-chart-red' },
  high: { label: 'High', tone: 'orange', fill: 'fill-chart-orange' },
  medium: { label: 'Medium', tone: 'warning', fill: 'fill-chart-amber' },
  low: { label: 'Low', tone: 'info', fill: 'fill-chart-blue' },
  info: { label: 'Info', tone: 'neutral', fill: 'fill-chart-teal' },
  unknown: { label: 'Unknown', tone: 'neutral', fill: 'fill-chart-grey' },
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

/** Severity as a word. */
export function SeverityBadge({ severity }: { severity: AlertSeverity }): VNode {
  const { label, tone } = SEVERITY_LOOKS[severity];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Status of the alert. */
export function StatusBadge({ status }: { status: AlertStatus }): VNode {
  const { label, tone } = STATUS_LOOKS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Events of an alert in each of the last 24 hours. */
export function EventTrend({ trend, wide }: { trend: readonly number[]; wide?: true }): VNode {
  const count = trend.reduce((sum, events) => sum + events, 0);
  const label = `${counted(count, 'event')} in the last 24 hours`;
  return <Sparkline values={trend} label={label} wide={wide} />;
}

/** Marks alerts that an active silence matches. */
export function SilencedBadge({ alert }: { alert: { isSilenced: boolean } }): VNode | null {
  return alert.isSilenced ? <Badge>Silenced</Badge> : null;
}

/** Returns true if the viewer can change alerts of the project; archived projects are read-only. */
export function mayChangeAlerts(project: ProjectRow, viewer: Viewer | null): boolean {
  return canInProject('admin_alert', { ...project, viewer }) && !project.archived;
}

interface Step {
  to: AlertStatus;
  label: string;
}

const ACKNOWLEDGE: Step = { to: 'acknowledged', label: 'Acknowledge' };
const RESOLVE: Step = { to: 'resolved', label: 'Resolve' };
const IGNORE: Step = { to: 'ignored', label: 'Ignore' };
const REOPEN: Step = { to: 'triggered', label: 'Reopen' };

/** Actions on an alert by status, the most likely first. */
const NEXT_STEPS: Record<AlertStatus, Step[]> = {
  triggered: [ACKNOWLEDGE, RESOLVE, IGNORE],
  acknowledged: [RESOLVE, REOPEN, IGNORE],
  resolved: [REOPEN],
  ignored: [REOPEN, RESOLVE],
};

interface StatusButtonsProps {
  alert: { title: string; status: AlertStatus };
  /** Where the new status is posted to. */
  action: string;
  csrfToken: string;
  /** Live region that the answer replaces. */
  region: string;
  /** Further fields of each form. */
  fields?: Record<string, string>;
  /** Only the first ones, or those after them. */
  limit?: number;
  from?: number;
  size?: 'small';
}

/** One button for each status that the alert can get. */
export function StatusButtons({ alert, limit, from = 0, ...props }: StatusButtonsProps): VNode {
  const { action, csrfToken, region, fields = {}, size } = props;
  const steps = NEXT_STEPS[alert.status].slice(from, limit);
  return (
    <>
      {steps.map(({ to, label }, index) => (
        <PostButton
          key={to}
          action={action}
          csrfToken={csrfToken}
          region={region}
          fields={{ ...fields, status: to }}
          size={size}
          variant={variantAt(from + index, size)}
        >
          {label}
          <span class="sr-only"> {alert.title}</span>
        </PostButton>
      ))}
    </>
  );
}

/** Highlights the first, most likely step of a page; rows of a list have no highlight. */
function variantAt(index: number, size: 'small' | undefined): ButtonVariant {
  return index === 0 && size === undefined ? 'primary' : 'outline';
}
