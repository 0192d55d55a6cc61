import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, PostButton } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { incidentPath } from '../alert-paths.js';
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

/** Gives the alert to someone; what is being chosen outlives the renewal of the region. */
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
    <Card title="Assignee">
      {viewer !== null && assignee?.id !== viewer.id && (
        <div>
          <PostButton action={action} csrfToken={csrfToken} fields={{ assignee: viewer.username }}>
            Assign to me
          </PostButton>
        </div>
      )}
      <div id="assignee-form" hx-morph-skip="true">
        <Form action={action} csrfToken={csrfToken} label="Assignee">
          <SelectField
            name="assignee"
            label="Who takes care of it"
            options={choicesOf(people, assignee)}
            value={assignee?.username ?? ''}
            errors={errors?.fields['assignee']}
          />
          <div>
            <Button variant="outline">Assign</Button>
          </div>
        </Form>
      </div>
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

/** Opens an incident for the alert, links one that is there, or parts them. */
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
        question="The alert and the incident both stay, but know nothing of each other."
        confirm="Unlink the incident"
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
        <PostButton action={`${base}/incident`} csrfToken={csrfToken}>
          Create incident
        </PostButton>
      </div>
      <div id="incident-form" hx-morph-skip="true">
        <Form action={`${base}/incident/link`} csrfToken={csrfToken} label="Link an incident">
          <TextField
            name="issue_iid"
            label="Or link one that is there"
            hint="Its number, such as 7."
            value={issueIid}
            errors={errors?.fields['issue_iid']}
            pattern="#?[0-9]+"
            required
          />
          <div>
            <Button variant="outline">Link incident</Button>
          </div>
        </Form>
      </div>
    </>
  );
}
