import type { VNode } from 'preact';
import { Badge, type Tone } from '../../core/ui/components/content.js';
import { isRegressed, type ErrorGroupRow } from '../errors/error-group.js';
import {
  ERROR_LEVELS,
  ERROR_STATUSES,
  type ErrorLevel,
  type ErrorStatus,
} from '../error-values.js';

const STATUS_LOOKS: Record<ErrorStatus, { label: string; tone: Tone }> = {
  unresolved: { label: 'Unresolved', tone: 'danger' },
  resolved: { label: 'Resolved', tone: 'success' },
  ignored: { label: 'Ignored', tone: 'neutral' },
};

const LEVEL_TONES: Record<ErrorLevel, Tone> = {
  debug: 'neutral',
  info: 'info',
  warning: 'warning',
  error: 'danger',
  fatal: 'critical',
};

/** Returns the status of a stored error. */
export function statusOf({ status }: Pick<ErrorGroupRow, 'status'>): ErrorStatus {
  return ERROR_STATUSES[status] ?? 'unresolved';
}

/** Returns the label of a status. */
export function statusLabel(status: ErrorStatus): string {
  return STATUS_LOOKS[status].label;
}

/** Status of the error. */
export function StatusBadge({ status }: { status: ErrorStatus }): VNode {
  const { label, tone } = STATUS_LOOKS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Level of the newest event; takes the stored number. */
export function LevelBadge({ level }: { level: number }): VNode {
  const name = ERROR_LEVELS[level] ?? 'error';
  return <Badge tone={LEVEL_TONES[name]}>{name[0]?.toUpperCase() + name.slice(1)}</Badge>;
}

/** Badges of errors that need attention first. */
export function UrgencyBadges({ error }: { error: ErrorGroupRow }): VNode {
  return (
    <>
      {isRegressed(error) && <Badge tone="orange">Regressed</Badge>}
      {error.isUnhandled && <Badge>Unhandled</Badge>}
    </>
  );
}
