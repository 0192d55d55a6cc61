import type { VNode } from 'preact';
import { bytesText, counted, countText } from '../../core/ui/amounts.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../core/ui/components/form.js';
import type { FormProblems } from '../../core/ui/forms.js';
import type { StorageVolume } from '../../git/storage-volumes.service.js';
import type { MoveCountsResponse, StorageSummaryResponse } from '../storage-summary.service.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { StorageLimits } from '../storage-settings.repository.js';
import { DrainButton } from './drain.page.js';
import { Capacity, StorageHealth } from './storage-strip.js';

interface StoragesPageProps {
  csrfToken: string;
  storages: StorageSummaryResponse[];
  volumes: ReadonlyMap<string, StorageVolume>;
}

/** Storages with their disk usage, content and moves. */
export function StoragesPage({ csrfToken, storages, volumes }: StoragesPageProps): VNode {
  const weights = storages.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <>
      <PageHeader
        title="Storages"
        description="Repository storages. New repositories are distributed by weight."
        actions={
          <ButtonLink href="/admin/application_settings#storages" variant="outline">
            Change weights
          </ButtonLink>
        }
      />
      <div class="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {storages.map((storage) => (
          <StorageCard
            key={storage.name}
            storage={storage}
            volume={volumes.get(storage.name)}
            weights={weights}
            names={storages.map(({ name }) => name)}
            csrfToken={csrfToken}
          />
        ))}
      </div>
    </>
  );
}

interface StorageCardProps {
  storage: StorageSummaryResponse;
  volume: StorageVolume | undefined;
  /** Sum of all weights. */
  weights: number;
  /** All storages. */
  names: readonly string[];
  csrfToken: string;
}

function StorageCard(props: StorageCardProps): VNode {
  const { storage, volume, weights, names, csrfToken } = props;
  const { name, containers, paused, blocked_until: blockedUntil } = storage;
  const repositories = containers.project + containers.snippet + containers.group;
  return (
    <Card title={name} actions={<StorageHealth storage={{ paused, blockedUntil, volume }} />}>
      <Capacity storage={{ name, volume }} />
      <DescriptionList
        items={[
          { label: 'Share of new repositories', value: shareText(storage.weight, weights) },
          {
            label: 'Contains',
            value: `${counted(containers.project, 'project')}, ${counted(containers.snippet, 'snippet')}, ${counted(containers.group, 'group')}`,
          },
          { label: 'Moves in', value: movesText(storage.incoming, storage.max_in) },
          { label: 'Moves out', value: movesText(storage.outgoing, storage.max_out) },
          { label: 'Throughput', value: rateText(storage) },
          { label: 'In trash', value: countText(storage.repositories_in_trash) },
        ]}
      />
      <div class="flex flex-wrap gap-2">
        <ButtonLink href={`/admin/storages/${name}`} variant="outline" size="small">
          Change limits<span class="sr-only"> of {name}</span>
        </ButtonLink>
        {repositories > 0 && (
          <DrainButton
            csrfToken={csrfToken}
            source={name}
            repositories={repositories}
            storages={names}
          />
        )}
      </div>
    </Card>
  );
}

function shareText(weight: number, weights: number): string {
  if (weight === 0 || weights === 0) return 'None (weight 0)';
  return `${Math.round((weight / weights) * 100)}% (weight ${weight})`;
}

function movesText(counts: MoveCountsResponse, limit: number): string {
  const running = (counts.started ?? 0) + (counts.replicated ?? 0);
  const waiting = (counts.initial ?? 0) + (counts.scheduled ?? 0);
  const failed = (counts.failed ?? 0) + (counts['cleanup failed'] ?? 0);
  return `Running ${running}/${limit} · Queued ${countText(waiting)} · Failed ${countText(failed)}`;
}

function rateText(storage: StorageSummaryResponse): string {
  const { measured_bytes_per_second: rate, bytes_per_second: limit } = storage;
  const measured = rate === null ? '–' : `${bytesText(rate)}/s`;
  return limit === null ? measured : `${measured} (limit ${bytesText(limit)}/s)`;
}

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
    <>
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
            hint="No new moves start; running moves finish. Clearing this also clears a disk-full block."
            checked={String(values['paused']) === 'true'}
            errors={errors?.fields['paused']}
          />
          <TextField
            {...field('max_in')}
            label="Maximum concurrent moves in"
            type="number"
            min={1}
            max={64}
            required
          />
          <TextField
            {...field('max_out')}
            label="Maximum concurrent moves out"
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
          <FormActions submit="Save changes" cancel="/admin/storages" />
        </Form>
      </Card>
    </>
  );
}
