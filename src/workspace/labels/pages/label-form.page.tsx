import type { VNode } from 'preact';
import { Card, PageHeader, Swatch } from '../../../core/ui/components/content.js';
import { FieldErrors } from '../../../core/ui/components/field.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { LabelRow } from '../labels.repository.js';

/** Suggested colors: each stands out on light and on dark pages (WCAG 2.2, 1.4.11). */
const PALETTE = [
  { value: '#d73a31', label: 'Red' },
  { value: '#d1651a', label: 'Orange' },
  { value: '#a67c00', label: 'Amber' },
  { value: '#3d8b37', label: 'Green' },
  { value: '#0e8a8a', label: 'Teal' },
  { value: '#3b7ddd', label: 'Blue' },
  { value: '#6f6cd9', label: 'Indigo' },
  { value: '#9b5fd0', label: 'Purple' },
  { value: '#c94f92', label: 'Pink' },
  { value: '#8a6d5a', label: 'Brown' },
  { value: '#7a8088', label: 'Gray' },
] as const;
const CUSTOM = 'custom';

/** Fields of the label form. */
export interface LabelValues {
  name: string;
  description: string;
  /** `#rrggbb`, also one that the palette does not have. */
  color: string;
  priority: string;
}

/** Returns the sent fields. */
export function valuesOfForm(form: Record<string, unknown>): LabelValues {
  const color = given(form, 'color');
  return {
    name: given(form, 'name'),
    description: given(form, 'description'),
    color: color === CUSTOM ? given(form, 'custom_color') : color,
    priority: given(form, 'priority'),
  };
}

/** Returns the fields of a label, or those of a new one. */
export function valuesOfLabel(label: LabelRow | null): LabelValues {
  return {
    name: label?.name ?? '',
    description: label?.description ?? '',
    color: label?.color ?? PALETTE[5].value,
    priority: String(label?.priority ?? ''),
  };
}

export interface LabelFormProps {
  csrfToken: string;
  /** Address of the list. */
  path: string;
  /** null for a new one. */
  id: number | null;
  /** Labels of projects only. */
  hasPriority: boolean;
  values: LabelValues;
  errors: FormProblems | null;
}

/** The form for a new label, and for changing one. */
export function LabelFormPage({ csrfToken, path, id, ...props }: LabelFormProps): VNode {
  const { values, errors, hasPriority } = props;
  const names = errors?.fields['name'] ?? errors?.fields['title'] ?? errors?.fields['new_name'];
  return (
    <>
      <PageHeader title={id === null ? 'New label' : `Edit label ${values.name}`} />
      <Card>
        <Form
          action={id === null ? `${path}/new` : `${path}/${id}/edit`}
          csrfToken={csrfToken}
          label="Label"
        >
          <FormErrors errors={errors} />
          <TextField
            name="name"
            label="Name"
            value={values.name}
            errors={names}
            maxLength={255}
            required
          />
          <TextField
            name="description"
            label="Description"
            value={values.description}
            errors={errors?.fields['description']}
            maxLength={512}
          />
          <ColorField value={values.color} errors={errors?.fields['color']} />
          {hasPriority && (
            <TextField
              type="number"
              name="priority"
              label="Priority"
              hint="The lowest number comes first"
              min={0}
              value={values.priority}
              errors={errors?.fields['priority']}
            />
          )}
          <FormActions submit={id === null ? 'Create label' : 'Save changes'} cancel={path} />
        </Form>
      </Card>
    </>
  );
}

function ColorField({ value, errors }: { value: string; errors: string[] | undefined }): VNode {
  const isCustom = PALETTE.every((color) => color.value !== value);
  return (
    <fieldset class="field" id="field-color">
      <legend>Color</legend>
      <FieldErrors id="field-color" errors={errors} />
      <div class="colors">
        {PALETTE.map((color) => (
          <label key={color.value}>
            <input type="radio" name="color" value={color.value} checked={color.value === value} />
            <Swatch color={color.value} />
            {color.label}
          </label>
        ))}
        <span>
          <label>
            <input type="radio" name="color" value={CUSTOM} checked={isCustom} />
            Custom
          </label>
          <input
            type="color"
            name="custom_color"
            aria-label="Custom color"
            value={isCustom ? value : PALETTE[5].value}
          />
        </span>
      </div>
    </fieldset>
  );
}
