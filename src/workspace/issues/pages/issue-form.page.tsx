import type { VNode } from 'preact';
import { CheckboxField, RadioGroup } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { NamedMilestone } from '../../milestones/milestones.repository.js';
import type { FoundIssue } from '../sql/issue-list.js';
import type { IssueType } from '../issue.entity.js';
import {
  DescriptionField,
  LabelsField,
  LockField,
  MilestoneField,
  TitleField,
  UsersField,
} from './issuable-fields.js';
import { issuePath, type IssuePageContext } from './issue-page-context.js';

const TYPES = [
  { value: 'issue', label: 'Issue', hint: 'A task, bug or discussion' },
  { value: 'incident', label: 'Incident', hint: 'A service disruption' },
];

type Form = Record<string, unknown>;

/** Fields of the issue form. */
export interface IssueValues {
  title: string;
  description: string;
  type: IssueType;
  confidential: boolean;
  /** Comma-separated. */
  labels: string;
  /** Comma-separated usernames. */
  assignees: string;
  dueDate: string;
  /** ID of the milestone; empty for none. */
  milestone: string;
  isLocked: boolean;
}

/** Returns the sent fields. Browsers send line breaks of text fields as CRLF (HTML standard). */
export function valuesOfForm(form: Form): IssueValues {
  return {
    title: given(form, 'title'),
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    type: given(form, 'issue_type') === 'incident' ? 'incident' : 'issue',
    confidential: given(form, 'confidential') === 'true',
    labels: given(form, 'labels'),
    assignees: given(form, 'assignees'),
    dueDate: given(form, 'due_date'),
    milestone: given(form, 'milestone_id'),
    isLocked: given(form, 'discussion_locked') === 'true',
  };
}

/** Returns the fields of an issue. */
export function valuesOfIssue(issue: FoundIssue): IssueValues {
  return {
    title: issue.title,
    description: (issue.description ?? '').replaceAll('\r\n', '\n'),
    type: issue.issueType,
    confidential: issue.confidential,
    labels: issue.labels.join(', '),
    assignees: issue.assignees.map(({ username }) => username).join(', '),
    dueDate: issue.dueDate ?? '',
    milestone: String(issue.milestone?.id ?? ''),
    isLocked: issue.discussionLocked,
  };
}

/** Returns the parameters that require no role. */
export function textParams({ title, description }: IssueValues): Form {
  return { title, description };
}

/** Returns the parameters that require planning permission. */
export function planningParams(values: IssueValues, assigneeIds: readonly number[]): Form {
  const { labels, dueDate, milestone } = values;
  return { labels, due_date: dueDate, milestone_id: milestone, assignee_ids: assigneeIds };
}

/** Values of the issue form, and the fields that the viewer gets. */
export interface IssueFormProps {
  csrfToken: string;
  context: IssuePageContext;
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
  const { csrfToken, context, issue, may, milestones, values, errors } = props;
  const listed = values.type === 'incident' ? context.incidents : context.issues;
  const back = issue === null ? listed : issuePath(context, issue);
  return (
    <>
      <PageHeader title={issue === null ? `New ${values.type}` : `Edit #${issue.iid}`} />
      <Card>
        <Form
          action={issue === null ? `${context.issues}/new` : `${context.issues}/${issue.iid}/edit`}
          csrfToken={csrfToken}
          label="Issue"
        >
          <FormErrors errors={errors} />
          <TitleField values={values} errors={errors} />
          <DescriptionField values={values} errors={errors} rows={10} page={listed} />
          {may.chooseType && (
            <RadioGroup name="issue_type" label="Type" options={TYPES} value={values.type} />
          )}
          {may.hide && (
            <CheckboxField
              name="confidential"
              label="Confidential"
              hint="Visible to the author and members with at least the Reporter role"
              checked={values.confidential}
            />
          )}
          {may.plan && (
            <>
              <UsersField
                name="assignees"
                label="Assignees"
                page={listed}
                values={values}
                errors={errors}
              />
              <LabelsField values={values} errors={errors} page={listed} />
              <TextField
                name="due_date"
                label="Due date"
                type="date"
                value={values.dueDate}
                errors={errors?.fields['due_date']}
              />
              <MilestoneField values={values} errors={errors} milestones={milestones} />
              {issue !== null && <LockField isLocked={values.isLocked} />}
            </>
          )}
          <FormActions
            submit={issue === null ? `Create ${values.type}` : 'Save changes'}
            cancel={back}
          />
        </Form>
      </Card>
    </>
  );
}
