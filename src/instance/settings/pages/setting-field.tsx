import type { VNode } from 'preact';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import { countText } from '../../../core/ui/amounts.js';
import type { SettingDeclaration } from '../../../core/settings/setting-types.js';
import { SETTINGS, type SettingName } from '../../../core/settings/settings.js';
import { removalOf } from './setting-form.js';
import { settingLabel } from './setting-sections.js';

export interface SettingFieldProps {
  name: SettingName;
  /** As it is stored, or as it was sent. Of a secret only whether there is one. */
  value: unknown;
  errors: Record<string, string[]> | undefined;
  /** Names of the configured storages. */
  storages: readonly string[];
}

/** The field of one setting; its kind and bounds follow from the declaration. */
export function SettingField({ name, value, errors, storages }: SettingFieldProps): VNode {
  const declaration: SettingDeclaration = SETTINGS[name];
  const field = {
    name,
    label: settingLabel(name),
    hint: hintOf(declaration),
    errors: errors?.[name],
  };
  if (declaration.secret === true) return <SecretField {...field} isSet={value === true} />;
  switch (declaration.type) {
    case 'boolean':
      return <CheckboxField {...field} checked={String(value) === 'true'} />;
    case 'integer':
    case 'optional integer':
      return (
        <TextField
          {...field}
          type="number"
          min={declaration.min}
          max={declaration.max}
          required={declaration.type === 'integer'}
          value={value === null ? '' : String(value)}
        />
      );
    case 'paths':
      return <TextArea {...field} value={linesOf(value)} code />;
    case 'weights':
      return <WeightFields {...field} value={value} storages={storages} />;
    case 'url':
      return <TextField {...field} type="url" value={String(value)} required />;
    case 'text':
      return <ChoiceField {...field} value={String(value)} values={declaration.values} />;
  }
}

function hintOf(declaration: SettingDeclaration): string {
  const { description } = declaration;
  const isNumber = declaration.type === 'integer' || declaration.type === 'optional integer';
  const range = isNumber ? ` (${countText(declaration.min)} to ${countText(declaration.max)})` : '';
  const lines = declaration.type === 'paths' ? ', one per line' : '';
  return `${description}${lines}${range}.`;
}

function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

interface KindProps {
  name: SettingName;
  label: string;
  hint: string;
  errors: string[] | undefined;
}

function ChoiceField({
  values,
  ...field
}: KindProps & { value: string; values: readonly string[] | undefined }): VNode {
  if (values === undefined) return <TextField {...field} />;
  const options = values.map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1),
  }));
  return <SelectField {...field} options={options} required />;
}

function SecretField({ isSet, ...field }: KindProps & { isSet: boolean }): VNode {
  const state = isSet ? 'One is set; leave this empty to keep it.' : 'None is set.';
  return (
    <>
      <TextField
        {...field}
        type="password"
        hint={`${field.hint} ${state}`}
        autocomplete="off"
        maxLength={1_000}
      />
      {isSet && <CheckboxField name={removalOf(field.name)} label={`Remove: ${field.label}`} />}
    </>
  );
}

interface WeightFieldsProps extends KindProps {
  value: unknown;
  storages: readonly string[];
}

function WeightFields({ name, label, hint, errors, value, storages }: WeightFieldsProps): VNode {
  const weights = (typeof value === 'object' ? value : null) as Record<string, unknown> | null;
  return (
    <fieldset class="field" id={`field-${name}`}>
      <legend>{label}</legend>
      <div class="hint">{hint}</div>
      {storages.map((storage, index) => (
        <TextField
          key={storage}
          name={`${name}[${storage}]`}
          label={storage}
          type="number"
          min={0}
          max={100}
          value={String(weights?.[storage] ?? '')}
          errors={index === 0 ? errors : undefined}
          bare
        />
      ))}
    </fieldset>
  );
}
