import type { VNode } from 'preact';
import { counted, countText } from '../../../../core/ui/amounts.js';
import { Person } from '../../../../core/ui/components/avatar.js';
import { Button } from '../../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../../core/ui/components/choice-fields.js';
import { Form, PostButton } from '../../../../core/ui/components/form.js';
import { Time } from '../../../../core/ui/components/time.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import type { ErrorActivityRow } from '../../../error-activities.repository.js';
import { errorsPath } from '../../../error-paths.js';
import type { ErrorAction } from '../../../error-values.js';
import type { AssigneeCandidate } from '../../../errors/error-groups.repository.js';
import { errorTitle, type ErrorGroupRow } from '../../../errors/error-group.js';
import type { MergedError } from '../../../merges/error-merges.repository.js';
import { SidePart } from '../event/text-parts.js';
import type { ErrorPageProps } from './error.page.js';

/** The assignee of an error, and a form for viewers who can change it. */
export function AssigneePart(props: ErrorPageProps): VNode | null {
  const { pageContext, project, error, mayChange, candidates } = props;
  const { viewer, csrfToken } = pageContext;
  const { assignee } = error;
  const action = `${errorsPath(project)}/${error.id}/assignee`;
  const isMine = viewer !== null && assignee?.id === viewer.id;
  if (assignee === null && !mayChange) return null;
  return (
    <SidePart
      title="Assignee"
      actions={
        mayChange && viewer !== null && !isMine ? (
          <PostButton
            action={action}
            csrfToken={csrfToken}
            fields={{ assignee: viewer.username }}
            size="small"
          >
            Assign to me
          </PostButton>
        ) : undefined
      }
    >
      {assignee === null ? (
        <span class="text-muted-foreground">None</span>
      ) : (
        <Person name={assignee.name} owner={assignee} href={`/${assignee.username}`} />
      )}
      {mayChange && (
        <details>
          <summary class="text-muted-foreground w-fit">Change assignee</summary>
          <Form action={action} csrfToken={csrfToken} label="Assignee" class="mt-2 grid gap-2">
            <SelectField
              name="assignee"
              label="User"
              options={choicesOf(candidates, assignee)}
              value={assignee?.username ?? ''}
            />
            <div>
              <Button variant="outline" size="small">
                Assign
              </Button>
            </div>
          </Form>
        </details>
      )}
    </SidePart>
  );
}

/** Returns "Unassigned" and the candidates, with the assignee even if no longer a candidate. */
function choicesOf(
  candidates: readonly AssigneeCandidate[],
  assignee: ErrorGroupRow['assignee'],
): Choice[] {
  const isListed = assignee === null || candidates.some(({ id }) => id === assignee.id);
  const all = isListed ? candidates : [assignee, ...candidates];
  const choices = all.map(({ username, name }) => ({
    value: username,
    label: `${name} (@${username})`,
  }));
  return [{ value: '', label: 'Unassigned' }, ...choices];
}

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

const TEXTS: Record<ErrorAction, (detail: string | null) => string> = {
  reopened: () => 'reopened it',
  resolved: (release) => (release === null ? 'resolved it' : `resolved it after ${release}`),
  ignored: () => 'ignored it',
  regressed: (release) => (release === null ? 'Regressed' : `Regressed in ${release}`),
  ignore_ended: () => 'No longer ignored',
  assigned: (username) => `assigned @${username}`,
  unassigned: () => 'removed the assignee',
  merged: (error) => `merged ${error}`,
  unmerged: (error) => `unmerged ${error}`,
};

/** Last changes of an error, newest first. */
export function ActivityPart({ activities }: { activities: ErrorActivityRow[] }): VNode | null {
  if (activities.length === 0) return null;
  return (
    <SidePart title="Activity">
      <ul class="grid gap-1.5" aria-label="Activity">
        {activities.map((activity, at) => (
          <li key={at} class="wrap-anywhere">
            <ActivityText {...activity} />{' '}
            <span class="text-muted-foreground text-xs">
              <Time value={activity.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </SidePart>
  );
}

function ActivityText({ action, actor, detail }: ErrorActivityRow): VNode {
  return (
    <>
      {actor !== null && (
        <>
          <a href={`/${actor}`}>@{actor}</a>{' '}
        </>
      )}
      {TEXTS[action](detail)}
      {action === 'ignored' && detail !== null && <IgnoreEnd end={detail} />}
    </>
  );
}

/** A number of events, or a time. */
function IgnoreEnd({ end }: { end: string }): VNode {
  if (/^\d+$/.test(end)) return <> for {countText(Number(end))} events</>;
  return (
    <>
      {' until '}
      <Time value={new Date(end)} />
    </>
  );
}
