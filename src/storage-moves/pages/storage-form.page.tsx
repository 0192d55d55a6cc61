import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import type { StorageLimits } from '../storage-settings.repository.js';

interface StorageFormPageProps {
  csrfToken: string;
  name: string;
  values: Record<string, unknown>;
  errors: FormProblems | undefined;
}

/** Returns the initial values of a storage form. */
export function valuesOfStorage(limits: StorageLimits): Record<string, unknown> {
  return {
    paused: limits.paused,
    max_in: limits.maxIn,
    max_out: limits.maxOut,
    bytes_per_second: limits.bytesPerSecond ?? '',
  };
}

/** Changes the limits of moves from and to a storage. */
export function StorageFormPage({ csrfToken, name, values, errors }: StorageFormPageProps): VNode {
  const field = (key: string) => ({
    name: key,
    value: String(values[key] ?? ''),
    errors: errors?.fields[key],
  });
  return (
    <AdminSection current="storages">
      <PageHeader
        title={`Storage ${name}`}
        description={
          <>
            Limits of moves from and to the storage. Its share of new repositories is among the{' '}
            <a class="prose-link" href="/admin/application_settings#storages">
              settings
            </a>
            .
          </>
        }
      />
      <Card>
        <Form action={`/admin/storages/${name}`} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <CheckboxField
            name="paused"
            label="Paused"
            hint="No move from or to the storage starts; running ones finish. Saving without it also lifts a block after a full disk."
            checked={String(values['paused']) === 'true'}
            errors={errors?.fields['paused']}
          />
          <TextField
            {...field('max_in')}
            label="Moves into the storage at the same time"
            type="number"
            min={1}
            max={64}
            required
          />
          <TextField
            {...field('max_out')}
            label="Moves out of the storage at the same time"
            type="number"
            min={1}
            max={64}
            required
          />
          <TextField
            {...field('bytes_per_second')}
            label="Throughput limit per worker (bytes per second)"
            hint="Leave blank for no limit. Changes apply to running moves within a second."
            type="number"
            min={1}
          />
          <FormActions>
            <Button>Save changes</Button>
            <ButtonLink href="/admin/storages" variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </AdminSection>
  );
}
