import type { VNode } from 'preact';
import { Button } from '../../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../../core/ui/components/confirm-button.js';
import { Card } from '../../../../core/ui/components/content.js';
import { Form, PostButton } from '../../../../core/ui/components/form.js';
import { TextField } from '../../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../../core/ui/form-errors.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import type { ErrorIssue, ErrorRow } from '../../../errors/error-row.js';
import { errorsPath, issuePath } from '../../../error-paths.js';

interface ErrorIssueCardProps {
  project: ProjectRow;
  error: ErrorRow;
  csrfToken: string;
  mayChange: boolean;
  mayCreate: boolean;
  /** As it was typed in. */
  issueIid: string;
  errors: FormProblems | null;
}

/** The issue in which the error is worked on: opened, linked or unlinked here. */
export function ErrorIssueCard(props: ErrorIssueCardProps): VNode | null {
  const { error, mayChange } = props;
  if (error.issue === null && !mayChange) return null;
  return (
    <Card title="Issue">
      {error.issue === null ? <NoIssue {...props} /> : <Linked {...props} issue={error.issue} />}
    </Card>
  );
}

function Linked(props: ErrorIssueCardProps & { issue: ErrorIssue }): VNode {
  const { project, error, csrfToken, mayChange, issue } = props;
  return (
    <>
      <p class="wrap-anywhere">
        <a href={issuePath(project, issue.iid)}>
          #{issue.iid} {issue.title}
        </a>
        {issue.state === 'closed' && ' (closed)'}
      </p>
      {mayChange && (
        <ConfirmButton
          label="Unlink"
          question="The error and the issue both stay, but know nothing of each other."
          confirm="Unlink the issue"
          action={`${errorsPath(project)}/${error.id}/issue/unlink`}
          csrfToken={csrfToken}
          variant="outline"
          size="small"
        />
      )}
    </>
  );
}

function NoIssue(props: ErrorIssueCardProps): VNode {
  const { project, error, csrfToken, mayCreate, issueIid, errors } = props;
  const action = `${errorsPath(project)}/${error.id}/issue`;
  return (
    <>
      {mayCreate && (
        <div>
          <PostButton action={action} csrfToken={csrfToken}>
            Create issue
          </PostButton>
        </div>
      )}
      <Form action={`${action}/link`} csrfToken={csrfToken} label="Link an issue">
        <TextField
          name="issue_iid"
          label={mayCreate ? 'Or link one that is there' : 'Link one that is there'}
          hint="Its number, such as 7."
          value={issueIid}
          errors={errors?.fields['issue_iid']}
          pattern="#?[0-9]+"
          required
        />
        <div>
          <Button variant="outline">Link issue</Button>
        </div>
      </Form>
    </>
  );
}
