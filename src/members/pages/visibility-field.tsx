import type { VNode } from 'preact';
import { RadioGroup } from '../../core/ui/components/choice-fields.js';
import type { FormProblems } from '../../core/ui/form-errors.js';

interface VisibilityFieldProps {
  value: string;
  /** Description of private visibility. */
  privateHint: string;
  errors: FormProblems | null | undefined;
}

/** The choice of who sees a group, project or snippet. */
export function VisibilityField({ value, privateHint, errors }: VisibilityFieldProps): VNode {
  const { visibility = [], visibility_level: level = [] } = errors?.fields ?? {};
  const options = [
    { value: 'private', label: 'Private', hint: privateHint },
    { value: 'internal', label: 'Internal', hint: 'Everybody who is signed in.' },
    { value: 'public', label: 'Public', hint: 'Everybody, also without an account.' },
  ];
  return (
    <RadioGroup
      name="visibility"
      label="Who can see it"
      options={options}
      value={value === '' ? 'private' : value}
      errors={[...visibility, ...level]}
      required
    />
  );
}
