import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import {
  CheckboxField,
  RadioGroup,
  SelectField,
  type Choice,
} from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { NamedMilestone } from '../../milestones/milestones.repository.js';
import type { FoundIssue } from '../sql/issue-columns.js';
import type { IssueValues } from './issue-form-input.js';
import { issuePath, ProjectLayout, type IssuePageContext } from './issue-page-context.js';

const TYPES = [
  { value: 'issue', label: 'Issue', hint: 'Something to be done, or to be talked about.' },
  { value: 'incident', label: 'Incident', hint: 'Something is broken.' },
];

/** Values of the issue form, and the fields that the viewer gets. */
export interface IssueFormProps {
  csrfToken: string;
  place: IssuePageContext;
  /** null for a new one. */
  issue: FoundIssue | null;
  /** Which fields the viewer has beside the texts. */
  may: { plan: boolean; chooseType: boolean; hide: boolean };
  /** Milestones that it can work towards. */
  milestones: NamedMilestone[];
  values: IssueValues;
  errors: FormProblems | null;
}

/** The form for a new issue, and for changing one. */
export function IssueFormPage(props: IssueFormProps): VNode {
  const { csrfToken, place, issue, may, milestones, values, errors } = props;
  const listed = values.type === 'incident' ? place.incidents : place.issues;
  const back = issue === null ? listed : issuePath(place, issue);
  return (
    <ProjectLayout
      place={place}
      type={issue?.issueType ?? values.type}
      title={issue === null ? `New ${values.type}` : `Edit #${issue.iid}`}
    >
      <Card>
        <Form
          action={issue === null ? `${place.issues}/new` : `${place.issues}/${issue.iid}/edit`}
          csrfToken={csrfToken}
          label="Issue"
        >
          <FormErrors errors={errors} />
          <TextFields values={values} errors={errors} />
          {may.chooseType && (
            <RadioGroup name="issue_type" label="Type" options={TYPES} value={values.type} />
          )}
          {may.hide && <ConfidentialField isTicked={values.confidential} />}
          {may.plan && <PlanFields values={values} errors={errors} milestones={milestones} />}
          {may.plan && issue !== null && <LockField isLocked={values.isLocked} />}
          <FormActions>
            <Button>{issue === null ? `Create ${values.type}` : 'Save changes'}</Button>
            <ButtonLink href={back} variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </ProjectLayout>
  );
}

type FieldsProps = Pick<IssueFormProps, 'values' | 'errors'>;

function TextFields({ values, errors }: FieldsProps): VNode {
  return (
    <>
      <TextField
        name="title"
        label="Title"
        value={values.title}
        errors={errors?.fields['title']}
        maxLength={255}
        required
      />
      <TextArea
        name="description"
        label="Description"
        hint="Markdown is understood."
        value={values.description}
        errors={errors?.fields['description']}
        rows={10}
      />
    </>
  );
}

type PlanFieldsProps = FieldsProps & Pick<IssueFormProps, 'milestones'>;

function PlanFields({ values, errors, milestones }: PlanFieldsProps): VNode {
  return (
    <>
      <TextField
        name="assignees"
        label="Assignees"
        hint="User names with commas between. People who cannot read it are left out."
        value={values.assignees}
        errors={errors?.fields['assignees']}
      />
      <TextField
        name="labels"
        label="Labels"
        hint="With commas between."
        value={values.labels}
        errors={errors?.fields['labels']}
      />
      <TextField
        name="due_date"
        label="Due date"
        type="date"
        value={values.dueDate}
        errors={errors?.fields['due_date']}
      />
      <SelectField
        name="milestone_id"
        label="Milestone"
        options={milestoneChoices(milestones)}
        value={values.milestone}
        errors={errors?.fields['milestone_id']}
      />
    </>
  );
}

function milestoneChoices(milestones: NamedMilestone[]): Choice[] {
  const listed = milestones.map(({ id, title }) => ({ value: String(id), label: title }));
  return [{ value: '', label: 'None' }, ...listed];
}

function ConfidentialField({ isTicked }: { isTicked: boolean }): VNode {
  return (
    <CheckboxField
      name="confidential"
      label="Confidential"
      hint="Only its author, Reporters and above see it."
      checked={isTicked}
    />
  );
}

function LockField({ isLocked }: { isLocked: boolean }): VNode {
  return (
    <CheckboxField
      name="discussion_locked"
      label="Lock the discussion"
      hint="Only members of the project may comment."
      checked={isLocked}
    />
  );
}
