import type { ComponentChildren, VNode } from 'preact';
import { SCOPES, type Scope } from '../../access/scopes.js';
import {
  controlAttributes,
  Field,
  fieldAndRest,
  FieldErrors,
  fieldId,
  type FieldProps,
} from './field.js';

export interface Choice {
  value: string;
  label: string;
  hint?: ComponentChildren;
  disabled?: boolean;
}

/** One of a list that is too long to be shown whole. */
export function SelectField(
  props: FieldProps & { options: Choice[]; value?: string | null | undefined },
): VNode {
  const { options, value, ...rest } = props;
  const [field] = fieldAndRest(rest);
  return (
    <Field {...field} bare>
      <select class="control" {...controlAttributes(field)}>
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            selected={option.value === value}
            disabled={option.disabled}
          >
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface CheckboxFieldProps extends Omit<FieldProps, 'required' | 'bare'> {
  checked?: boolean;
  /** Value when checked; `true` by default. */
  value?: string;
}

/** Yes or no; `false` is sent when it is not ticked. With a name in `[]` it is one of a list. */
export function CheckboxField({ checked, value = 'true', ...field }: CheckboxFieldProps): VNode {
  const isOfList = field.name.endsWith('[]');
  const id = field.id ?? (isOfList ? fieldId(`${field.name}${value}`) : fieldId(field.name));
  return (
    <div class="field">
      {!isOfList && <input type="hidden" name={field.name} value="false" />}
      <div class="choice">
        <input
          type="checkbox"
          value={value}
          checked={checked}
          {...controlAttributes({ ...field, id })}
        />
        <div>
          <label for={id}>{field.label}</label>
          <Hint id={id} hint={field.hint} />
          <FieldErrors id={id} errors={field.errors} />
        </div>
      </div>
    </div>
  );
}

interface RadioGroupProps extends FieldProps {
  options: Choice[];
  value?: string | null | undefined;
}

/** One of a few, all visible. */
export function RadioGroup({ options, value, ...field }: RadioGroupProps): VNode {
  const group = field.id ?? fieldId(field.name);
  return (
    <fieldset class="field" id={group}>
      <legend>{field.label}</legend>
      <Hint id={group} hint={field.hint} />
      <FieldErrors id={group} errors={field.errors} />
      {options.map((option) => (
        <Radio
          key={option.value}
          option={option}
          id={`${group}-${option.value}`}
          name={field.name}
          required={field.required ?? false}
          checked={option.value === value}
        />
      ))}
    </fieldset>
  );
}

interface RadioProps {
  option: Choice;
  id: string;
  name: string;
  required: boolean;
  checked: boolean;
}

function Radio({ option, id, ...attributes }: RadioProps): VNode {
  const describedBy = option.hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="choice">
      <input
        type="radio"
        id={id}
        value={option.value}
        disabled={option.disabled}
        aria-describedby={describedBy}
        {...attributes}
      />
      <div>
        <label for={id}>{option.label}</label>
        <Hint id={id} hint={option.hint} />
      </div>
    </div>
  );
}

function Hint({ id, hint }: { id: string; hint: ComponentChildren }): VNode | null {
  if (hint === undefined) return null;
  return (
    <div class="hint" id={`${id}-hint`}>
      {hint}
    </div>
  );
}

/** Several of a few (scopes, events): sends `name[]` for each that is ticked. */
function CheckboxGroup({
  options,
  values,
  ...field
}: FieldProps & { options: Choice[]; values: readonly string[] }): VNode {
  const group = field.id ?? fieldId(field.name);
  return (
    <fieldset class="field" id={group}>
      <legend>{field.label}</legend>
      <Hint id={group} hint={field.hint} />
      <FieldErrors id={group} errors={field.errors} />
      {options.map(({ value, label, hint }) => (
        <CheckboxField
          key={value}
          name={`${field.name}[]`}
          id={`${group}-${value}`}
          label={label}
          hint={hint}
          value={value}
          checked={values.includes(value)}
        />
      ))}
    </fieldset>
  );
}

const GROUPS: { label: string; scopes: readonly Scope[] }[] = [
  { label: 'API', scopes: ['api', 'read_api'] },
  { label: 'Repositories', scopes: ['read_repository', 'write_repository'] },
  { label: 'User', scopes: ['read_user', 'openid', 'profile', 'email'] },
  { label: 'Token', scopes: ['self_rotate'] },
  { label: 'Administration', scopes: ['sudo', 'admin_mode'] },
];

interface ScopeFieldsProps {
  /** Selectable scopes. */
  scopes: readonly Scope[];
  values: readonly string[];
  hint: string;
  errors: string[] | undefined;
}

/** Scopes by area, each with its description. */
export function ScopeFields({ scopes, values, hint, errors }: ScopeFieldsProps): VNode {
  return (
    <fieldset class="field" id="scopes">
      <legend>Scopes</legend>
      <div class="hint">{hint}</div>
      <FieldErrors id="scopes" errors={errors} />
      <div class="mt-2 grid gap-5 sm:grid-cols-2">
        {GROUPS.map(({ label, scopes: all }) => (
          <ScopeGroup
            key={label}
            label={label}
            scopes={all.filter((scope) => scopes.includes(scope))}
            values={values}
          />
        ))}
      </div>
    </fieldset>
  );
}

function ScopeGroup(props: {
  label: string;
  scopes: readonly Scope[];
  values: readonly string[];
}): VNode | null {
  const { label, scopes, values } = props;
  if (scopes.length === 0) return null;
  return (
    <CheckboxGroup
      name="scopes"
      id={`scopes-${label.toLowerCase()}`}
      label={label}
      options={scopes.map((value) => ({ value, label: value, hint: SCOPES[value] }))}
      values={values}
    />
  );
}
