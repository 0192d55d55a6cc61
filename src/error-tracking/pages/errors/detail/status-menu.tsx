import type { VNode } from 'preact';
import { Button, OverflowMenu } from '../../../../core/ui/components/button.js';
import { Form, PostButton } from '../../../../core/ui/components/form.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorsPath } from '../../../error-paths.js';
import type { ErrorStatus } from '../../../error-values.js';
import type { StatusConditionDto } from '../../../errors/status-condition.dto.js';
import type { StatusChange } from '../../../errors/error-status.service.js';
import type { ErrorGroupRow } from '../../../errors/error-group.js';
import { statusOf } from '../../error-badges.js';

const HOUR_MS = 3_600_000;

interface StatusEnd {
  status: ErrorStatus;
  label: string;
  hours?: number;
  events?: number;
}

/** Conditions of a status that the menu offers. */
export const STATUS_ENDS = {
  next_release: { status: 'resolved', label: 'Resolve in next release' },
  hour: { status: 'ignored', label: 'Ignore for 1 hour', hours: 1 },
  day: { status: 'ignored', label: 'Ignore for 24 hours', hours: 24 },
  week: { status: 'ignored', label: 'Ignore for 7 days', hours: 168 },
  events_10: { status: 'ignored', label: 'Ignore for 10 events', events: 10 },
  events_100: { status: 'ignored', label: 'Ignore for 100 events', events: 100 },
  events_1000: { status: 'ignored', label: 'Ignore for 1,000 events', events: 1_000 },
} as const satisfies Record<string, StatusEnd>;

/** Returns the parameters of a condition, as the API takes them. */
export function untilInput(
  until: keyof typeof STATUS_ENDS | null | undefined,
  now: Date,
): StatusConditionDto {
  if (!until) return {};
  const end: StatusEnd = STATUS_ENDS[until];
  return {
    in_next_release: end.status === 'resolved',
    ignored_until: end.hours === undefined ? null : new Date(now.getTime() + end.hours * HOUR_MS),
    ignored_events: end.events ?? null,
  };
}

const DONE: Record<ErrorStatus, string> = {
  unresolved: 'reopened',
  resolved: 'resolved',
  ignored: 'ignored',
};

/** `resolved. Closed issues #3, #4`. */
export function doneText(status: ErrorStatus, { closedIssueIids }: StatusChange): string {
  const done = DONE[status];
  if (closedIssueIids.length === 0) return done;
  const issues = closedIssueIids.map((iid) => `#${iid}`).join(', ');
  return `${done}. Closed ${closedIssueIids.length === 1 ? 'issue' : 'issues'} ${issues}`;
}

const STEPS: Record<ErrorStatus, { to: ErrorStatus; label: string }[]> = {
  unresolved: [
    { to: 'resolved', label: 'Resolve' },
    { to: 'ignored', label: 'Ignore' },
  ],
  resolved: [{ to: 'unresolved', label: 'Unresolve' }],
  ignored: [
    { to: 'resolved', label: 'Resolve' },
    { to: 'unresolved', label: 'Unignore' },
  ],
};

interface StatusActionsProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  csrfToken: string;
}

/** Changes the status of an error; conditions are in the menu. */
export function StatusActions({ project, error, csrfToken }: StatusActionsProps): VNode {
  const action = `${errorsPath(project)}/${error.id}/status`;
  const status = statusOf(error);
  return (
    <div class="flex flex-wrap gap-2">
      {STEPS[status].map(({ to, label }, index) => (
        <PostButton
          key={to}
          action={action}
          csrfToken={csrfToken}
          fields={{ status: to }}
          variant={index === 0 ? 'primary' : 'outline'}
        >
          {label}
        </PostButton>
      ))}
      <OverflowMenu of={`error #${error.id}`}>
        {Object.entries(STATUS_ENDS).map(([until, end]) => (
          <Form key={until} action={action} csrfToken={csrfToken}>
            <input type="hidden" name="status" value={end.status} />
            <Button variant="outline" name="until" value={until}>
              {end.label}
            </Button>
          </Form>
        ))}
      </OverflowMenu>
    </div>
  );
}
