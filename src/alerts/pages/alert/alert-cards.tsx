import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { incidentPath } from '../alert-paths.js';
import { Person } from '../../../core/ui/components/avatar.js';
import { Button } from '../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Form, PostButton } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';

interface SideProps {
  pageContext: Pick<PageContext, 'csrfToken' | 'viewer'>;
  project: ProjectRow;
  alert: FoundAlert;
  /** Below it are the addresses that forms post to. */
  base: string;
}

interface AssigneeCardProps extends SideProps {
  people: AssigneeCandidate[];
  errors: FormProblems | null;
}

/** Assigns the alert; the choice outlives the renewal of the region. */
export function AssigneeCard({
  pageContext,
  alert,
  base,
  people,
  errors,
}: AssigneeCardProps): VNode {
  const { csrfToken, viewer } = pageContext;
  const { assignee } = alert;
  const action = `${base}/assignee`;
  return (
    <Card
      title="Assignee"
      actions={
        viewer !== null &&
        assignee?.id !== viewer.id && (
          <PostButton
            action={action}
            csrfToken={csrfToken}
            fields={{ assignee: viewer.username }}
            size="small"
          >
            Assign to me
          </PostButton>
        )
      }
    >
      {assignee === null ? (
        <span class="text-muted-foreground">None</span>
      ) : (
        <Person name={assignee.name} owner={assignee} href={`/${assignee.username}`} />
      )}
      <details open={errors?.fields['assignee'] !== undefined}>
        <summary class="text-muted-foreground w-fit">Change assignee</summary>
        <div id="assignee-form" class="mt-2" hx-morph-skip="true">
          <Form action={action} csrfToken={csrfToken} label="Assignee" class="grid gap-2">
            <SelectField
              name="assignee"
              label="User"
              options={choicesOf(people, assignee)}
              value={assignee?.username ?? ''}
              errors={errors?.fields['assignee']}
            />
            <div>
              <Button variant="outline" size="small">
                Assign
              </Button>
            </div>
          </Form>
        </div>
      </details>
    </Card>
  );
}

/**
 * Returns "Unassigned" and the candidates. Includes the current assignee even if no longer a
 * candidate.
 */
function choicesOf(people: AssigneeCandidate[], assignee: FoundAlert['assignee']): Choice[] {
  const isListed = assignee === null || people.some(({ id }) => id === assignee.id);
  const all = isListed ? people : [assignee, ...people];
  const choices = all.map(({ username, name }) => ({
    value: username,
    label: `${name} (@${username})`,
  }));
  return [{ value: '', label: 'Unassigned' }, ...choices];
}

interface IncidentCardProps extends SideProps {
  /** As it was typed in. */
  issueIid: string;
  errors: FormProblems | null;
}

/** Creates or links the incident of the alert, or unlinks it. */
export function IncidentCard(props: IncidentCardProps): VNode {
  const { issue } = props.alert;
  return (
    <Card title="Incident">
      {issue === null ? <NewIncident {...props} /> : <LinkedIncident {...props} issue={issue} />}
    </Card>
  );
}

type LinkedIncidentProps = SideProps & { issue: NonNullable<FoundAlert['issue']> };

function LinkedIncident({ pageContext, project, base, issue }: LinkedIncidentProps): VNode {
  return (
    <>
      <p>
        <a href={incidentPath(project, issue.iid)}>
          #{issue.iid} {issue.title}
        </a>
      </p>
      <ConfirmButton
        label="Unlink"
        title={`Unlink incident #${issue.iid}?`}
        question="Removes the link only. Neither item is deleted."
        confirm="Unlink incident"
        action={`${base}/incident/unlink`}
        csrfToken={pageContext.csrfToken}
        variant="outline"
        size="small"
      />
    </>
  );
}

function NewIncident({
  pageContext: { csrfToken },
  base,
  issueIid,
  errors,
}: IncidentCardProps): VNode {
  return (
    <>
      <div>
        <PostButton action={`${base}/incident`} csrfToken={csrfToken} size="small">
          Create incident
        </PostButton>
      </div>
      <details open={errors?.fields['issue_iid'] !== undefined}>
        <summary class="text-muted-foreground w-fit">Link an existing incident</summary>
        <div id="incident-form" class="mt-2" hx-morph-skip="true">
          <Form
            action={`${base}/incident/link`}
            csrfToken={csrfToken}
            label="Link an incident"
            class="grid gap-2"
          >
            <TextField
              name="issue_iid"
              label="Number"
              placeholder="e.g. #7"
              value={issueIid}
              errors={errors?.fields['issue_iid']}
              pattern="#?[0-9]+"
              required
            />
            <div>
              <Button variant="outline" size="small">
                Link incident
              </Button>
            </div>
          </Form>
        </div>
      </details>
    </>
  );
}
