import type { VNode } from 'preact';
import { PostButton } from '../../../../core/ui/components/form.js';
import type { ProjectRow } from '../../../../projects/projects.repository.js';
import type { ErrorStatus } from '../../../error-values.js';
import { errorTitle, type ErrorRow } from '../../../errors/error-row.js';
import { LevelBadge, StatusBadge, statusOf, UrgencyBadges } from '../../error-badges.js';
import { errorsPath } from '../../../error-paths.js';
import { LongText } from '../event/fold.js';

const STEPS: Record<ErrorStatus, { to: ErrorStatus; label: string }[]> = {
  unresolved: [
    { to: 'resolved', label: 'Resolve' },
    { to: 'ignored', label: 'Ignore' },
  ],
  resolved: [{ to: 'unresolved', label: 'Unresolve' }],
  ignored: [
    { to: 'resolved', label: 'Resolve' },
    { to: 'unresolved', label: 'Stop ignoring' },
  ],
};

interface ErrorHeadingProps {
  project: ProjectRow;
  error: ErrorRow;
  mayChange: boolean;
  csrfToken: string;
}

/** Title, status and actions of an error. */
export function ErrorHeading({ project, error, ...rest }: ErrorHeadingProps): VNode {
  const { type, value, culprit } = error;
  const status = statusOf(error);
  const hasType = type !== null && type !== '';
  return (
    <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div class="grid min-w-0 grow basis-80 grid-cols-1 gap-2">
        <h2 class="wrap-anywhere">{hasType ? type : errorTitle(error)}</h2>
        {hasType && value !== null && value !== '' && (
          <div>
            <LongText text={value} />
          </div>
        )}
        <p class="text-muted-foreground font-mono text-sm wrap-anywhere">{culprit}</p>
        <div class="flex flex-wrap gap-2">
          <LevelBadge level={error.level} />
          <StatusBadge status={status} />
          <UrgencyBadges error={error} />
        </div>
      </div>
      {rest.mayChange && <Steps project={project} error={error} csrfToken={rest.csrfToken} />}
    </div>
  );
}

function Steps({ project, error, csrfToken }: Omit<ErrorHeadingProps, 'mayChange'>): VNode {
  return (
    <div class="flex flex-wrap gap-2">
      {STEPS[statusOf(error)].map(({ to, label }, index) => (
        <PostButton
          key={to}
          action={`${errorsPath(project)}/${error.id}/status`}
          csrfToken={csrfToken}
          fields={{ status: to }}
          variant={index === 0 ? 'primary' : 'outline'}
        >
          {label}
        </PostButton>
      ))}
    </div>
  );
}
