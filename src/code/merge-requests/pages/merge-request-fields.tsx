import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import {
  CheckboxField,
  type Choice,
  SelectField,
} from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { NamedMilestone } from '../../../workspace/milestones/milestones.repository.js';
import type { Branches } from '../merge-request-branches.service.js';
import type { MergeRequestValues } from './merge-request-form-input.js';

interface FieldsProps {
  values: MergeRequestValues;
  errors: FormProblems | null;
}

/** Title and description: for everyone who can write or change the merge request. */
export function TextFields({ values, errors }: FieldsProps): VNode {
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
      <CheckboxField
        name="draft"
        label="Draft"
        hint="Cannot be merged until it is marked as ready."
        checked={values.isDraft}
      />
      <TextArea
        name="description"
        label="Description"
        hint="Markdown is understood. “Closes #1” closes that issue when it is merged."
        value={values.description}
        errors={errors?.fields['description']}
        rows={8}
      />
    </>
  );
}

interface PlanFieldsProps extends FieldsProps {
  /** Milestones that it can work towards. */
  milestones: NamedMilestone[];
}

/** Assignees, reviewers, labels and merge options: for users who plan the work. */
export function PlanFields({ values, errors, milestones }: PlanFieldsProps): VNode {
  const listed = milestones.map(({ id, title }) => ({ value: String(id), label: title }));
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
        name="reviewers"
        label="Reviewers"
        hint="User names with commas between. People who cannot read it are left out."
        value={values.reviewers}
        errors={errors?.fields['reviewers']}
      />
      <TextField
        name="labels"
        label="Labels"
        hint="With commas between."
        value={values.labels}
        errors={errors?.fields['labels']}
      />
      <SelectField
        name="milestone_id"
        label="Milestone"
        options={[{ value: '', label: 'None' }, ...listed]}
        value={values.milestone}
        errors={errors?.fields['milestone_id']}
      />
      <CheckboxField
        name="remove_source_branch"
        label="Delete the source branch when it is merged"
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
      <Form action={path} method="get" label="Branches" class="filters">
        <BranchField
          name="merge_request[source_branch]"
          label="Source branch"
          names={names}
          value={branches.source}
          none="Choose a branch"
        />
        <BranchField
          name="merge_request[target_branch]"
          label="Target branch"
          names={names}
          value={branches.target}
        />
        <Button variant="outline">Compare branches</Button>
      </Form>
    </Card>
  );
}

interface BranchFieldProps {
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
export function BranchField({ names, value, none, ...field }: BranchFieldProps): VNode {
  if (names.length > MAX_CHOICES) return <TextField {...field} value={value} required bare />;
  const isKnown = value === '' || names.includes(value);
  const listed: Choice[] = (isKnown ? names : [value, ...names]).map(asChoice);
  const first = none === undefined ? [] : [{ value: '', label: none }];
  return <SelectField {...field} options={[...first, ...listed]} value={value} />;
}

function asChoice(name: string): Choice {
  return { value: name, label: name };
}
