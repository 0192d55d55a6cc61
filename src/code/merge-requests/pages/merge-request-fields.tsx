import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import {
  CheckboxField,
  type Choice,
  SelectField,
} from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormErrors } from '../../../core/ui/components/form.js';
import { suggestionsOf, TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import {
  DescriptionField,
  LabelsField,
  MilestoneField,
  TitleField,
  UsersField,
} from '../../../workspace/issues/pages/issuable-fields.js';
import type { NamedAssignees } from '../../../workspace/issues/pages/named-assignees.service.js';
import type { NamedMilestone } from '../../../workspace/milestones/milestones.repository.js';
import { draftTitle, isDraft, readyTitle } from '../drafts.js';
import type { Branches } from '../merge-request-branches.service.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';

type Form = Record<string, unknown>;

/** The fields of a merge request as its forms have them. */
export interface MergeRequestValues {
  /** Without the mark of drafts. */
  title: string;
  isDraft: boolean;
  description: string;
  /** Target branch. */
  target: string;
  /** Comma-separated usernames. */
  assignees: string;
  reviewers: string;
  /** Comma-separated. */
  labels: string;
  /** ID of the milestone; empty for none. */
  milestone: string;
  removesSource: boolean;
  isLocked: boolean;
}

/** Returns the sent fields. Browsers send line breaks of text fields as CRLF (HTML standard). */
export function valuesOfForm(form: Form): MergeRequestValues {
  return {
    title: given(form, 'title'),
    isDraft: given(form, 'draft') === 'true',
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    target: given(form, 'target_branch'),
    assignees: given(form, 'assignees'),
    reviewers: given(form, 'reviewers'),
    labels: given(form, 'labels'),
    milestone: given(form, 'milestone_id'),
    removesSource: given(form, 'remove_source_branch') === 'true',
    isLocked: given(form, 'discussion_locked') === 'true',
  };
}

/** The fields for changing a merge request. */
export function valuesOfMergeRequest(row: FoundMergeRequest): MergeRequestValues {
  const names = (users: FoundMergeRequest['assignees']): string =>
    users.map(({ username }) => username).join(', ');
  return {
    title: readyTitle(row.title),
    isDraft: isDraft(row.title),
    description: (row.description ?? '').replaceAll('\r\n', '\n'),
    target: row.targetBranch,
    assignees: names(row.assignees),
    reviewers: names(row.reviewers),
    labels: row.labels.join(', '),
    milestone: String(row.milestone?.id ?? ''),
    removesSource: row.removeSourceBranch,
    isLocked: row.discussionLocked,
  };
}

/** Returns the parameters that require no role. */
export function textParams({ title, isDraft: isMarked, description }: MergeRequestValues): Form {
  return { title: isMarked ? draftTitle(title) : title, description };
}

/** Returns the parameters that take a role; throws 400 for unknown usernames. */
export async function attributeParams(
  { labels, milestone, removesSource, assignees, reviewers }: MergeRequestValues,
  users: NamedAssignees,
): Promise<Form> {
  return {
    labels,
    milestone_id: milestone,
    remove_source_branch: removesSource,
    assignee_ids: await users.idsOf(assignees),
    reviewer_ids: await users.idsOf(reviewers, 'reviewers'),
  };
}

interface FieldsProps {
  /** Address of a page of the project. */
  page: string;
  values: MergeRequestValues;
  errors: FormProblems | null;
}

/** Title and description: for everyone who can write or change the merge request. */
export function TextFields({ values, errors, page }: FieldsProps): VNode {
  return (
    <>
      <TitleField values={values} errors={errors} />
      <CheckboxField
        name="draft"
        label="Draft"
        hint="Cannot be merged until marked as ready"
        checked={values.isDraft}
      />
      <DescriptionField
        values={values}
        errors={errors}
        rows={8}
        page={page}
        hint="“Closes #1” closes that issue on merge."
      />
    </>
  );
}

interface PlanFieldsProps extends FieldsProps {
  /** Milestones to choose from. */
  milestones: NamedMilestone[];
}

/** Assignees, reviewers, labels and merge options: for users who plan the work. */
export function PlanFields({ values, errors, page, milestones }: PlanFieldsProps): VNode {
  const shared = { values, errors, page };
  return (
    <>
      <UsersField name="assignees" label="Assignees" {...shared} />
      <UsersField name="reviewers" label="Reviewers" {...shared} />
      <LabelsField {...shared} />
      <MilestoneField values={values} errors={errors} milestones={milestones} />
      <CheckboxField
        name="remove_source_branch"
        label="Delete source branch on merge"
        checked={values.removesSource}
      />
    </>
  );
}

interface BranchChoiceProps {
  /** Where the choice is looked at. */
  path: string;
  /** All names. */
  names: string[];
  branches: Branches;
  /** Why these cannot be chosen. */
  problems: FormProblems | null;
}

/** Form to choose source and target branch. */
export function BranchChoice({ path, names, branches, problems }: BranchChoiceProps): VNode {
  return (
    <Card title="Branches">
      <FormErrors errors={problems} />
      <Form action={path} method="get" label="Branches" class="field-row">
        <BranchField
          name="merge_request[source_branch]"
          label="Source branch"
          page={path}
          names={names}
          value={branches.source}
          none="Choose a branch"
        />
        <BranchField
          name="merge_request[target_branch]"
          label="Target branch"
          page={path}
          names={names}
          value={branches.target}
        />
        <Button variant="outline">Compare branches</Button>
      </Form>
    </Card>
  );
}

interface BranchFieldProps {
  /** Address of a page of the project. */
  page: string;
  name: string;
  label: string;
  names: string[];
  value: string;
  /** Stands for no choice. */
  none?: string;
  errors?: string[] | undefined;
}

/** Longer lists are not read through: there the name is typed in. */
const MAX_CHOICES = 500;

/** One branch of the project. */
export function BranchField({ names, value, none, page, ...field }: BranchFieldProps): VNode {
  if (names.length > MAX_CHOICES) {
    const source = suggestionsOf(page, 'branches');
    return <TextField {...field} value={value} source={source} required bare />;
  }
  const isKnown = value === '' || names.includes(value);
  const listed: Choice[] = (isKnown ? names : [value, ...names]).map(asChoice);
  const first = none === undefined ? [] : [{ value: '', label: none }];
  return <SelectField {...field} options={[...first, ...listed]} value={value} />;
}

function asChoice(name: string): Choice {
  return { value: name, label: name };
}
