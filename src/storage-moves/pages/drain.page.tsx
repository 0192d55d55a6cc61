import type { VNode } from 'preact';
import { countText } from '../../core/ui/amounts.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../core/ui/components/confirm-button.js';
import { Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import type { BulkForecast } from '../move-dry-run.service.js';
import { MOVE_KINDS } from '../move-kinds.js';
import { KIND_LABELS, MOVES_PATH } from './move.page.js';
import { AUTOMATIC, MoveForm, StorageField, type ScheduleProps } from './schedule-move.page.js';
import { repositoriesText } from './storage-strip.js';

const DRAIN_PATH = `${MOVES_PATH}/bulk`;

/** Form that previews draining a storage, and the button that does it afterwards. */
export function DrainStoragePage(props: ScheduleProps & { forecasts?: BulkForecast[] }): VNode {
  const { csrfToken, forecasts } = props;
  return (
    <>
      <PageHeader
        title="Drain storage"
        description="Moves all repositories of a storage, a few at a time. Repositories stay writable until their move is scheduled."
      />
      {forecasts !== undefined && <DrainForecast csrfToken={csrfToken} forecasts={forecasts} />}
      <MoveForm {...props} action={DRAIN_PATH} isPreviewed={forecasts !== undefined}>
        <StorageField
          {...props}
          name="source_storage_name"
          label="Source"
          none="Choose a storage"
          required
        />
      </MoveForm>
    </>
  );
}

interface DrainForecastProps {
  csrfToken: string;
  /** One of each kind. */
  forecasts: BulkForecast[];
}

function DrainForecast({ csrfToken, forecasts }: DrainForecastProps): VNode | null {
  const [first] = forecasts;
  if (first === undefined) return null;
  const { source_storage_name: source, destination_storage_name: destination } = first;
  const counts = forecasts.map(({ containers }) => containers);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <Card title="Dry-run result">
      <DescriptionList
        items={[
          { label: 'From', value: source },
          { label: 'To', value: destination ?? AUTOMATIC },
          { label: 'Repositories to move', value: countText(total) },
          ...MOVE_KINDS.map((kind, at) => ({
            label: KIND_LABELS[kind],
            value: countText(counts[at] ?? 0),
          })),
          {
            label: 'Currently read-only',
            value: countText(forecasts.reduce((sum, { busy }) => sum + busy, 0)),
          },
        ]}
      />
      <div>
        <ConfirmButton
          label={`Drain ${source}`}
          title={`Drain storage ${source}?`}
          question={drainQuestion(source, total, destination ?? undefined)}
          confirm={`Move ${repositoriesText(total)}`}
          action={DRAIN_PATH}
          csrfToken={csrfToken}
          variant="primary"
          fields={{
            source_storage_name: source,
            destination_storage_name: destination ?? '',
          }}
        />
      </div>
    </Card>
  );
}

interface DrainButtonProps {
  csrfToken: string;
  source: string;
  repositories: number;
  storages: readonly string[];
}

/** Asks for the destination in a dialog, and drains the storage or runs it dry. */
export function DrainButton({
  csrfToken,
  source,
  repositories,
  storages,
}: DrainButtonProps): VNode {
  const others = storages
    .filter((name) => name !== source)
    .map((name) => ({ value: name, label: name }));
  const only = others.length === 1 ? others[0]?.value : undefined;
  const automatic = only === undefined ? [{ value: '', label: AUTOMATIC }] : [];
  return (
    <ConfirmButton
      label="Drain"
      title={`Drain storage ${source}?`}
      question={drainQuestion(source, repositories, only)}
      confirm={`Move ${repositoriesText(repositories)}`}
      action={DRAIN_PATH}
      csrfToken={csrfToken}
      fields={{ source_storage_name: source }}
      size="small"
    >
      <SelectField
        id={`drain-${source}`}
        name="destination_storage_name"
        label="Destination"
        options={[...automatic, ...others]}
      />
      <button class="btn justify-self-start" data-variant="outline" name="dry_run" value="true">
        Dry run
      </button>
    </ConfirmButton>
  );
}

function drainQuestion(
  source: string,
  repositories: number,
  destination = 'other storages',
): string {
  return `This moves all repositories (${countText(repositories)}) from ${source} to ${destination}: projects, snippets and group wikis. Each is read-only while it moves.`;
}
