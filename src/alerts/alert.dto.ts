import {
  BooleanParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../core/params/params.decorator.js';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertSeverity,
  type AlertStatus,
} from './alert-values.js';

const ALERT_ORDERS = [
  'started_at',
  'ended_at',
  'event_count',
  'severity',
  'status',
  'created_at',
  'updated_at',
] as const;
export type AlertOrder = (typeof ALERT_ORDERS)[number];

/** Filters of alerts other than their status. */
export class AlertFiltersDto {
  /** Only alerts of these severities. */
  @ListParam({ values: ALERT_SEVERITIES, commaSeparated: true })
  severity?: AlertSeverity[] | null;

  /**
   * Words to find in title, description, service or monitoring tool; all must match,
   * case-insensitive.
   */
  @TextParam()
  search?: string | null;

  /** Only alerts of this assignee; `None` for those without one, `Any` for the others. */
  @TextParam()
  assignee_username?: string | null;

  /** Only alerts with exactly this title. */
  @TextParam()
  title?: string | null;

  /** Only alerts of the environment with this name; `None` for those without one. */
  @TextParam()
  environment?: string | null;

  /** True for alerts that an active silence matches, false for the others. */
  @BooleanParam()
  silenced?: boolean | null;

  /** Only alerts that started at or after this time. */
  @DateTimeParam()
  started_after?: Date | null;

  /** Only alerts that started at or before this time. */
  @DateTimeParam()
  started_before?: Date | null;

  /** Only alerts first received at or after this time. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only alerts first received at or before this time. */
  @DateTimeParam()
  created_before?: Date | null;
}

/** Filters and order of the alerts of a project. */
export class ListAlertsDto extends AlertFiltersDto {
  /** Only alerts in these states; `open` for triggered and acknowledged ones. */
  @ListParam({ values: [...ALERT_STATUSES, 'open'], commaSeparated: true })
  status?: (AlertStatus | 'open')[] | null;

  /** Only the alert with this number. */
  @IntegerParam()
  iid?: number | null;

  /** Only alerts with these numbers. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Sort column; `started_at` by default. */
  @TextParam({ values: ALERT_ORDERS })
  order_by?: AlertOrder | null;

  /** `desc` by default: latest, most events, most critical and triggered ones first. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** PUT of an alert: at least one of these. */
export class UpdateAlertDto {
  /** `triggered`, `acknowledged`, `resolved` or `ignored`. */
  @TextParam()
  status?: string | null;

  /** IDs of the assignees: an alert has one assignee, the first; an empty list clears it. */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** Usernames of the assignees, instead of `assignee_ids`. */
  @ListParam({ commaSeparated: true })
  assignee_usernames?: string[] | null;
}

/** POST of an alert's issue. */
export class OpenIncidentDto {
  /** Number of an issue of the project to link instead of creating an incident. */
  @IntegerParam()
  issue_iid?: number | null;
}
