import type { VNode } from 'preact';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { FEATURE_SWITCHES, type ProjectValues } from './project-values.js';

interface ProjectFeatureFieldsProps {
  values: ProjectValues;
  errors: FormProblems | null;
}

/** Default branch, topics, and which features a project has. */
export function ProjectFeatureFields({ values, errors }: ProjectFeatureFieldsProps): VNode {
  return (
    <>
      <TextField
        name="default_branch"
        label="Default branch"
        value={values.defaultBranch}
        errors={errors?.fields['default_branch']}
        autocomplete="off"
      />
      <TextField
        name="topics"
        label="Topics"
        hint="Separated by commas."
        value={values.topics}
        errors={errors?.fields['topics']}
      />
      {FEATURE_SWITCHES.map(({ name, label }) => (
        <CheckboxField
          key={name}
          name={name}
          label={label}
          checked={values.features[name]}
          errors={errors?.fields[name]}
        />
      ))}
    </>
  );
}
