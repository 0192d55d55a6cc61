import type { VNode } from 'preact';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';

/** Name, path and description of a project. */
export interface ProjectTexts {
  name: string;
  path: string;
  description: string;
}

interface ProjectTextFieldsProps {
  values: ProjectTexts;
  errors: FormProblems | null;
  pathHint: string;
  /** A new project has a path made of its name. */
  isNew?: boolean;
  /** Name and path are left out: only owners change them. */
  fixed?: boolean;
}

/** The fields of a project that are typed in. */
export function ProjectTextFields(props: ProjectTextFieldsProps): VNode {
  const { values, errors, pathHint, isNew = false, fixed = false } = props;
  return (
    <>
      {!fixed && (
        <>
          <TextField
            name="name"
            label="Name"
            value={values.name}
            errors={errors?.fields['name']}
            maxLength={255}
            required
          />
          <TextField
            name="path"
            label="Path"
            hint={pathHint}
            value={values.path}
            errors={errors?.fields['path']}
            maxLength={255}
            autocomplete="off"
            required={!isNew}
          />
        </>
      )}
      <TextArea
        name="description"
        label="Description"
        value={values.description}
        errors={errors?.fields['description']}
        maxLength={2000}
        rows={3}
      />
    </>
  );
}
