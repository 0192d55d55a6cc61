import type { ComponentChildren, VNode } from 'preact';

/** The id of the control of a field, made from its name: `user[login]` → `field-user-login`. */
export function fieldId(name: string): string {
  const words = name.split(/[^\w]+/).filter((word) => word !== '');
  return ['field', ...words].join('-');
}

/** Common properties of form fields. */
export interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** Validation errors of the value: `errors?.fields['name']`. */
  errors?: string[] | undefined;
  required?: boolean;
  /** Where two forms of a page have a field of this name. */
  id?: string;
  /** For filters: not marked as optional. */
  bare?: boolean;
}

/** Attributes that tie a control to its label, hint and errors. */
interface ControlAttributes {
  id: string;
  name: string;
  required: boolean;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** Splits the properties of a control into those of its field and its own. */
export function fieldAndRest<T extends FieldProps>(
  props: T,
): [FieldProps, Omit<T, keyof FieldProps>] {
  const { name, label, hint, errors, required, id, bare, ...rest } = props;
  return [{ name, label, hint, errors, required, id, bare }, rest];
}

/** The attributes of the control of a field. */
export function controlAttributes(field: FieldProps): ControlAttributes {
  const id = field.id ?? fieldId(field.name);
  const notes = [
    field.hint === undefined ? [] : [`${id}-hint`],
    isBroken(field) ? [`${id}-error`] : [],
  ].flat();
  return {
    id,
    name: field.name,
    required: field.required ?? false,
    'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
    'aria-invalid': isBroken(field) ? 'true' : undefined,
  };
}

function isBroken({ errors = [] }: FieldProps): boolean {
  return errors.length > 0;
}

/** Label, hint and errors around a control that was made with `controlAttributes`. */
export function Field({ children, ...field }: FieldProps & { children: ComponentChildren }): VNode {
  const { id } = controlAttributes(field);
  return (
    <div class="field">
      <label for={id}>
        {field.label}
        {field.required !== true && field.bare !== true && <Optional />}
      </label>
      {field.hint !== undefined && (
        <div class="hint" id={`${id}-hint`}>
          {field.hint}
        </div>
      )}
      {children}
      <FieldErrors id={id} errors={field.errors} />
    </div>
  );
}

/** Most fields must be filled in: those that need not be are the ones to mark. */
function Optional(): VNode {
  return <span class="text-muted-foreground font-normal"> (optional)</span>;
}

/** Validation errors of a field, below it. */
export function FieldErrors({ id, errors = [] }: { id: string; errors?: string[] | undefined }) {
  if (errors.length === 0) return null;
  return (
    <div class="problem" id={`${id}-error`}>
      {errors.map((error) => (
        <p key={error}>{error}</p>
      ))}
    </div>
  );
}
