import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { AdminSection } from '../../../core/ui/sections/admin.js';
import { SettingField } from './setting-field.js';
import { SETTING_SECTIONS, type SettingSection } from './setting-sections.js';

export const SETTINGS_PATH = '/admin/application_settings';

/** A section's form that was refused. */
export interface RefusedSection {
  id: string;
  values: Record<string, unknown>;
  errors: FormProblems;
}

interface SettingsPageProps {
  csrfToken: string;
  /** By name; of secrets whether there is one. */
  values: Record<string, unknown>;
  storages: readonly string[];
  refused: RefusedSection | null;
}

/** Every switch of the instance, a form for each section. */
export function SettingsPage({ refused, ...props }: SettingsPageProps): VNode {
  return (
    <AdminSection current="settings">
      <PageHeader
        title="Settings"
        description="They hold for the whole instance, at once and without a restart."
      />
      <nav aria-label="Sections of the settings">
        <ul class="flex flex-wrap gap-x-4 gap-y-2">
          {SETTING_SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <a class="prose-link" href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {SETTING_SECTIONS.map((section) => (
        <SectionForm
          key={section.id}
          section={section}
          refused={refused?.id === section.id ? refused : null}
          {...props}
        />
      ))}
    </AdminSection>
  );
}

interface SectionFormProps extends SettingsPageProps {
  section: SettingSection;
}

function SectionForm({ section, refused, values, ...props }: SectionFormProps): VNode {
  const { csrfToken, storages } = props;
  return (
    <div id={section.id}>
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
            <Button>Save {section.title.toLowerCase()}</Button>
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
