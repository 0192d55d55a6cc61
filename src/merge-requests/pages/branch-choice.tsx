import type { VNode } from 'preact';
import { Button } from '../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../core/ui/components/choice-fields.js';
import { Card } from '../../core/ui/components/content.js';
import { Form } from '../../core/ui/components/form.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import type { Branches } from '../merge-request-branches.service.js';

interface BranchChoiceProps {
  /** Where the choice is looked at. */
  path: string;
  /** All names. */
  names: string[];
  branches: Branches;
  /** Why these cannot be chosen. */
  problems: FormProblems | null;
}

/** The form that asks which branch is to be merged into which. */
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
