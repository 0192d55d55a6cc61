import type { VNode } from 'preact';
import type { ButtonVariant } from '../../core/ui/components/button.js';
import { PostButton } from '../../core/ui/components/form.js';
import type { AlertStatus } from '../alert-values.js';

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
  acknowledged: [RESOLVE, { to: 'triggered', label: 'Back to triggered' }, IGNORE],
  resolved: [REOPEN],
  ignored: [REOPEN, RESOLVE],
};

interface StatusButtonsProps {
  alert: { title: string; status: AlertStatus };
  /** Where the new status is posted to. */
  action: string;
  csrfToken: string;
  /** Further fields of each form. */
  fields?: Record<string, string>;
  /** Only the first ones, in a row of a list. */
  limit?: number;
  size?: 'small';
}

/** One button for each status that the alert can get. */
export function StatusButtons({ alert, limit, ...props }: StatusButtonsProps): VNode {
  const { action, csrfToken, fields = {}, size } = props;
  const steps = NEXT_STEPS[alert.status].slice(0, limit);
  return (
    <>
      {steps.map(({ to, label }, index) => (
        <PostButton
          key={to}
          action={action}
          csrfToken={csrfToken}
          fields={{ ...fields, status: to }}
          size={size}
          variant={variantAt(index, size)}
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
