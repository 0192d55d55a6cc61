import type { VNode } from 'preact';
import { RadioGroup } from '../../../core/ui/components/choice-fields.js';
import { Badge, type Tone } from '../../../core/ui/components/content.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import { visibilityName, type VisibilityName } from '../visibility.js';

const TONES: Record<VisibilityName, Tone> = {
  private: 'neutral',
  internal: 'info',
  public: 'success',
};

/** Visibility of a group, project or snippet, as a word. */
export function VisibilityBadge({ level }: { level: number }): VNode {
  const name = visibilityName(level);
  return <Badge tone={TONES[name]}>{`${name.charAt(0).toUpperCase()}${name.slice(1)}`}</Badge>;
}

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
    { value: 'internal', label: 'Internal', hint: 'Any signed-in user.' },
    { value: 'public', label: 'Public', hint: 'Anyone, without signing in.' },
  ];
  return (
    <RadioGroup
      name="visibility"
      label="Visibility"
      options={options}
      value={value === '' ? 'private' : value}
      errors={[...visibility, ...level]}
      required
    />
  );
}
