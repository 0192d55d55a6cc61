import type { ComponentChildren, VNode } from 'preact';
import { bytesText, counted, durationText } from '../../core/ui/amounts.js';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../core/ui/components/form.js';
import { TextField } from '../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../core/ui/forms.js';
import type { MoveForecast } from '../move-dry-run.service.js';
import { MOVE_KINDS } from '../move-kinds.js';
import { MOVES_PATH, KIND_LABELS } from './move.page.js';

/** State of a form for moves. */
export interface ScheduleForm {
  values: Record<string, unknown>;
  errors?: FormProblems;
}

/** Properties of a page with a form for moves. */
export interface ScheduleProps extends ScheduleForm {
  csrfToken: string;
  storages: readonly string[];
}

const KINDS = MOVE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind].slice(0, -1) }));

/** The empty choice among several destinations; a single one often has no weight. */
export const AUTOMATIC = 'Automatic (by weight)';

/** Returns the sentence for a move whose destination no weight decides, and others as they are. */
export function explained(problem: string): string {
  if (!/^destination.storage.name can't be blank\.?$/i.test(problem)) return problem;
  return 'No other storage has a weight above 0. Choose a destination.';
}

interface ScheduleMoveProps extends ScheduleProps {
  /** Storage that the container is on; null while the form names none. */
  source: string | null;
  forecast?: MoveForecast;
}

/** Form that schedules the move of one container, or runs it dry. */
export function ScheduleMovePage({ source, ...props }: ScheduleMoveProps): VNode {
  const { values, errors, forecast } = props;
  return (
    <>
      <PageHeader title="New move" description="The repository is read-only until the move ends." />
      {forecast !== undefined && <Forecast forecast={forecast} />}
      <MoveForm
        {...props}
        action={MOVES_PATH}
        button="Move repository"
        hint={source === null ? undefined : `Currently on ${source}.`}
      >
        <SelectField
          name="kind"
          label="Type"
          options={KINDS}
          value={given(values, 'kind') || 'project'}
          errors={errors?.fields['kind']}
          required
        />
        <TextField
          name="container"
          label="ID or full path"
          hint="For snippets, only the ID."
          value={given(values, 'container')}
          errors={errors?.fields['container']}
          required
        />
      </MoveForm>
    </>
  );
}

interface MoveFormProps extends ScheduleProps {
  action: string;
  /** Without a button it only runs dry. */
  button?: string;
  /** Of the destination. */
  hint?: string | undefined;
  /** True beside the result of a dry run, which has the primary button. */
  isPreviewed?: boolean;
  /** The fields that name what moves. */
  children: ComponentChildren;
}

/** Form with the destination of moves, or of a dry run. */
export function MoveForm(form: MoveFormProps): VNode {
  const { action, button, isPreviewed = false, hint, children, ...props } = form;
  const { csrfToken, errors, storages } = props;
  const isAutomatic = storages.length > 2;
  return (
    <Card>
      <Form action={action} csrfToken={csrfToken}>
        <FormErrors errors={errors} />
        {children}
        <StorageField
          {...props}
          name="destination_storage_name"
          label="Destination"
          hint={hint}
          none={isAutomatic ? AUTOMATIC : 'Choose a storage'}
          required={!isAutomatic}
        />
        <FormActions>
          {button !== undefined && <Button>{button}</Button>}
          <Button
            variant={button === undefined && !isPreviewed ? 'primary' : 'outline'}
            name="dry_run"
            value="true"
          >
            Dry run
          </Button>
          <ButtonLink href={MOVES_PATH} variant="ghost">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </Card>
  );
}

interface StorageFieldProps extends Omit<ScheduleProps, 'csrfToken'> {
  name: string;
  label: string;
  hint?: string | undefined;
  /** Label of the empty choice. */
  none: string;
  required?: boolean;
}

/** Choice of a storage. */
export function StorageField({
  storages,
  values,
  errors,
  none,
  ...field
}: StorageFieldProps): VNode {
  const options = storages.map((name) => ({ value: name, label: name }));
  return (
    <SelectField
      name={field.name}
      label={field.label}
      hint={field.hint}
      options={[{ value: '', label: none }, ...options]}
      value={given(values, field.name)}
      errors={errors?.fields[field.name]}
      required={field.required}
    />
  );
}

function Forecast({ forecast }: { forecast: MoveForecast }): VNode {
  const files = counted(forecast.file_count, 'file');
  return (
    <Card title="Dry-run result">
      <DescriptionList
        items={[
          { label: 'From', value: forecast.source_storage_name },
          { label: 'To', value: forecast.destination_storage_name },
          { label: 'Size', value: `${bytesText(forecast.bytes_total)} in ${files}` },
          { label: 'Estimated time', value: `about ${durationText(forecast.estimated_seconds)}` },
        ]}
      />
      {forecast.blockers.length === 0 ? (
        <p>No blockers found.</p>
      ) : (
        <div class="alert" role="alert" data-tone="alert">
          <p class="font-semibold">The move would fail now</p>
          <ul class="w-full">
            {forecast.blockers.map((text) => (
              <li key={text}>{explained(text)}</li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}
