import type { VNode } from 'preact';
import { counted } from '../../../../core/ui/amounts.js';
import { PostButton } from '../../../../core/ui/components/form.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorsPath } from '../../../error-paths.js';
import { errorTitle } from '../../../errors/error-group.js';
import type { MergedError } from '../../../merges/error-merges.repository.js';
import { SidePart } from '../event/text-parts.js';

interface MergedPartProps {
  project: ProjectRow;
  errorId: number;
  merged: MergedError[];
  mayChange: boolean;
  csrfToken: string;
}

/** Errors that are merged into the error of the page. */
export function MergedPart(props: MergedPartProps): VNode | null {
  const { project, errorId, merged, mayChange, csrfToken } = props;
  if (merged.length === 0) return null;
  return (
    <SidePart title="Merged errors">
      <ul class="grid gap-2" aria-label="Merged errors">
        {merged.map((error) => (
          <li key={error.id} class="flex items-start gap-2">
            <span class="min-w-0 grow wrap-anywhere">
              {errorTitle(error)}{' '}
              <span class="text-muted-foreground text-xs">
                {counted(error.eventsCount, 'event')}
              </span>
            </span>
            {mayChange && (
              <PostButton
                action={`${errorsPath(project)}/${errorId}/merged/${error.id}/unmerge`}
                csrfToken={csrfToken}
                size="small"
              >
                Unmerge
              </PostButton>
            )}
          </li>
        ))}
      </ul>
    </SidePart>
  );
}
