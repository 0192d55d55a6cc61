import type { ComponentChildren, VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import { countText } from '../../../core/ui/amounts.js';
import type { SettingDeclaration } from '../../../core/settings/setting-types.js';
import { SETTINGS, type SettingName } from '../../../core/settings/settings.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import { SETTING_SECTIONS, type SettingSection } from './setting-sections.js';

export const SETTINGS_PATH = '/admin/application_settings';

/** A section's form with errors. */
export interface RefusedSection {
  id: string;
  values: Record<string, unknown>;
  errors: FormProblems;
}

interface SettingsPageProps {
  csrfToken: string;
  /** By name; for secrets true if set. */
  values: Record<string, unknown>;
  storages: readonly string[];
  refused: RefusedSection | null;
}

/** Instance settings, a form for each section. */
export function SettingsPage({ refused, ...props }: SettingsPageProps): VNode {
  return (
    <>
      <PageHeader title="Settings" description="Changes apply instance-wide immediately." />
      <Tabs
        label="Sections"
        items={SETTING_SECTIONS.map(({ id, title }) => ({ label: title, href: `#${id}` }))}
        current=""
      />
      {SETTING_SECTIONS.map((section) => (
        <SectionForm
          key={section.id}
          section={section}
          refused={refused?.id === section.id ? refused : null}
          {...props}
        />
      ))}
    </>
  );
}

interface SectionFormProps extends SettingsPageProps {
  section: SettingSection;
}

function SectionForm({ section, refused, values, ...props }: SectionFormProps): VNode {
  const { csrfToken, storages } = props;
  return (
    <div id={section.id} class="scroll-mt-14">
      <Card title={section.title}>
        <Form action={`${SETTINGS_PATH}/${section.id}`} csrfToken={csrfToken} label={section.title}>
          <FormErrors errors={refused?.errors} />
          {section.names.map((name) => (
            <SettingField
              key={name}
              name={name}
              value={shownValue(name, values, refused)}
              errors={refused?.errors.fields}
              storages={storages}
            />
          ))}
          <FormActions>
            <Button variant="outline">Save changes</Button>
          </FormActions>
        </Form>
      </Card>
    </div>
  );
}

/** Returns the sent value, if there is one; never a secret. */
function shownValue(
  name: string,
  values: Record<string, unknown>,
  refused: RefusedSection | null,
): unknown {
  const isSecret = `${name}_configured` in values;
  if (isSecret) return values[`${name}_configured`];
  return refused !== null && name in refused.values ? refused.values[name] : values[name];
}

interface SettingFieldProps {
  name: SettingName;
  /** The stored or the sent value; for a secret true if it is set. */
  value: unknown;
  errors: Record<string, string[]> | undefined;
  /** Names of the configured storages. */
  storages: readonly string[];
}

/** The field of one setting; its kind and bounds follow from the declaration. */
function SettingField({ name, value, errors, storages }: SettingFieldProps): VNode {
  const declaration: SettingDeclaration = SETTINGS[name];
  const field = {
    name,
    label: partsOf(declaration)[0],
    hint: <Hint name={name} declaration={declaration} />,
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

/** The label of a field, and the remarks that follow it in the description. */
function partsOf({ description }: SettingDeclaration): [string, string] {
  const [, label = description, zero = '', empty = ''] =
    /^(.*?)(?: \((0 = [^)]+)\))?(?:; (.+))?$/.exec(description) ?? [];
  return [label, zero || empty];
}

/** Remarks, bounds, default and the name in the API. */
function Hint({ name, declaration }: { name: string; declaration: SettingDeclaration }): VNode {
  const { type, default: fallback } = declaration;
  const isNumber = type === 'integer' || type === 'optional integer';
  const parts = [
    partsOf(declaration)[1],
    isNumber ? `${countText(declaration.min)} to ${countText(declaration.max)}` : '',
    isNumber && fallback !== null ? `default ${countText(Number(fallback))}` : '',
    type === 'boolean' ? `default ${fallback ? 'on' : 'off'}` : '',
    type === 'paths' ? 'one per line' : '',
  ].filter((part) => part !== '');
  return (
    <>
      {parts.join(' · ')} <span class="block font-mono wrap-anywhere">{name}</span>
    </>
  );
}

function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

interface KindProps {
  name: SettingName;
  label: string;
  hint: ComponentChildren;
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

/** Returns the name of the checkbox that removes a secret; leaving its own field empty keeps it. */
export function removalOf(name: SettingName): string {
  return `remove_${name}`;
}

function SecretField({ isSet, ...field }: KindProps & { isSet: boolean }): VNode {
  const state = isSet ? 'Leave blank to keep the current value.' : 'Not set.';
  return (
    <>
      <TextField
        {...field}
        type="password"
        hint={
          <>
            {`${state} `}
            {field.hint}
          </>
        }
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
