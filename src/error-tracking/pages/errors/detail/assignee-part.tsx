import type { VNode } from 'preact';
import { Person } from '../../../../core/ui/components/avatar.js';
import { Button } from '../../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../../core/ui/components/choice-fields.js';
import { Form, PostButton } from '../../../../core/ui/components/form.js';
import { errorsPath } from '../../../error-paths.js';
import type { AssigneeCandidate } from '../../../errors/error-groups.repository.js';
import type { ErrorGroupRow } from '../../../errors/error-group.js';
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
