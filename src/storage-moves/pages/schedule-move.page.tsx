import type { VNode } from 'preact';
import { bytesText, counted, durationText } from '../../core/ui/amounts.js';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { given } from '../../core/ui/form-input.decorator.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import type { BulkForecast, MoveForecast } from '../move-dry-run.service.js';
import { MOVE_KINDS } from '../move-kinds.js';
import { MOVES_PATH } from './move-list.js';
import { KIND_LABELS } from './shown-move.js';

/** State of a form for moves. */
export interface ScheduleForm {
  values: Record<string, unknown>;
  errors?: FormProblems;
}

interface ScheduleProps extends ScheduleForm {
  csrfToken: string;
  storages: readonly string[];
}

const KINDS = MOVE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind].slice(0, -1) }));
const BULK_KINDS = MOVE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }));

/** Asks for the move of one container, or what it would do. */
export function ScheduleMovePage(props: ScheduleProps & { forecast?: MoveForecast }): VNode {
  const { csrfToken, storages, values, errors, forecast } = props;
  return (
    <AdminSection current="moves">
      <PageHeader
        title="Schedule a move"
        description="What is moved is read-only from now until the move ends."
      />
      {forecast !== undefined && <Forecast forecast={forecast} />}
      <Card>
        <Form action={MOVES_PATH} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <SelectField
            name="kind"
            label="What to move"
            options={KINDS}
            value={given(values, 'kind') || 'project'}
            errors={errors?.fields['kind']}
            required
          />
          <TextField
            name="container"
            label="Id or full path"
            hint="Snippets are named by their id."
            value={given(values, 'container')}
            errors={errors?.fields['container']}
            required
          />
          <Destination storages={storages} values={values} errors={errors} />
          <Buttons action="Schedule move" />
        </Form>
      </Card>
    </AdminSection>
  );
}

/** Asks for everything on a storage to be moved away, or what that would do. */
export function EmptyStoragePage(props: ScheduleProps & { forecast?: BulkForecast }): VNode {
  const { csrfToken, storages, values, errors, forecast } = props;
  const places = storages.map((name) => ({ value: name, label: name }));
  return (
    <AdminSection current="moves">
      <PageHeader
        title="Empty a storage"
        description="Moves are scheduled a few at a time: what still waits for its turn stays writable."
      />
      {forecast !== undefined && <BulkForecastCard forecast={forecast} />}
      <Card>
        <Form action={`${MOVES_PATH}/bulk`} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <SelectField
            name="kind"
            label="What to move"
            options={BULK_KINDS}
            value={given(values, 'kind') || 'project'}
            errors={errors?.fields['kind']}
            required
          />
          <SelectField
            name="source_storage_name"
            label="Storage to empty"
            options={[{ value: '', label: 'Choose a storage' }, ...places]}
            value={given(values, 'source_storage_name')}
            errors={errors?.fields['source_storage_name']}
            required
          />
          <Destination storages={storages} values={values} errors={errors} />
          <Buttons action="Schedule moves" />
        </Form>
      </Card>
    </AdminSection>
  );
}

function Destination({ storages, values, errors }: Omit<ScheduleProps, 'csrfToken'>): VNode {
  const options = [
    { value: '', label: 'Draw one by weight' },
    ...storages.map((name) => ({ value: name, label: name })),
  ];
  return (
    <SelectField
      name="destination_storage_name"
      label="Where to"
      options={options}
      value={given(values, 'destination_storage_name')}
      errors={errors?.fields['destination_storage_name']}
    />
  );
}

function Buttons({ action }: { action: string }): VNode {
  return (
    <FormActions>
      <Button>{action}</Button>
      <Button variant="outline" name="dry_run" value="true">
        Only tell what would happen
      </Button>
      <ButtonLink href={MOVES_PATH} variant="ghost">
        Cancel
      </ButtonLink>
    </FormActions>
  );
}

function Forecast({ forecast }: { forecast: MoveForecast }): VNode {
  const files = counted(forecast.file_count, 'file');
  return (
    <Card title="What would happen">
      <DescriptionList
        items={[
          { label: 'From', value: forecast.source_storage_name },
          { label: 'To', value: forecast.destination_storage_name },
          { label: 'Size', value: `${bytesText(forecast.bytes_total)} in ${files}` },
          { label: 'Time to copy', value: `about ${durationText(forecast.estimated_seconds)}` },
        ]}
      />
      {forecast.blockers.length === 0 ? (
        <p>Nothing is in the way.</p>
      ) : (
        <div class="alert" role="alert" data-tone="alert">
          <p class="font-semibold">The move would fail now</p>
          <ul class="w-full">
            {forecast.blockers.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

function BulkForecastCard({ forecast }: { forecast: BulkForecast }): VNode {
  return (
    <Card title="What would happen">
      <DescriptionList
        items={[
          { label: 'From', value: forecast.source_storage_name },
          { label: 'To', value: forecast.destination_storage_name ?? 'drawn by weight for each' },
          { label: 'To be moved', value: forecast.containers },
          { label: 'Of these read-only now', value: forecast.busy },
        ]}
      />
    </Card>
  );
}
