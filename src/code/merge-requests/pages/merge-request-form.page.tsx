import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { NamedMilestone } from '../../../workspace/milestones/milestones.repository.js';
import type { FoundMergeRequest } from '../sql/merge-request-columns.js';
import { PlanFields, TextFields, BranchField } from './merge-request-fields.js';
import type { MergeRequestValues } from './merge-request-form-input.js';
import { ProjectLayout, type MergeRequestPageContext } from './merge-request-page-context.js';

/** A merge request, and what is in the form for changing it. */
export interface MergeRequestFormProps {
  csrfToken: string;
  place: MergeRequestPageContext;
  row: FoundMergeRequest;
  /** Choices for users who plan the work; null for those who change the texts only. */
  choices: { milestones: NamedMilestone[]; branches: string[] } | null;
  values: MergeRequestValues;
  errors: FormProblems | null;
}

/** The form for changing a merge request. */
export function MergeRequestFormPage(props: MergeRequestFormProps): VNode {
  const { csrfToken, place, row, choices, values, errors } = props;
  const path = `${place.path}/${row.iid}`;
  return (
    <ProjectLayout place={place} title={`Edit !${row.iid}`}>
      <Card>
        <Form action={`${path}/edit`} csrfToken={csrfToken} label="Merge request">
          <FormErrors errors={errors} />
          <TextFields values={values} errors={errors} />
          {choices !== null && row.state !== 'merged' && (
            <BranchField
              name="target_branch"
              label="Target branch"
              names={choices.branches}
              value={values.target}
              errors={errors?.fields['target_branch']}
            />
          )}
          {choices !== null && (
            <>
              <PlanFields values={values} errors={errors} milestones={choices.milestones} />
              <CheckboxField
                name="discussion_locked"
                label="Lock the discussion"
                hint="Only members of the project may comment."
                checked={values.isLocked}
              />
            </>
          )}
          <FormActions>
            <Button>Save changes</Button>
            <ButtonLink href={path} variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </ProjectLayout>
  );
}
