import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { PageHeader } from '../../core/ui/components/content.js';
import { FilterForm } from '../../core/ui/components/filter-form.js';
import { MOVE_KINDS, MOVE_STATES } from '../move-kinds.js';
import { MoveList, OpenCount, type MoveListing } from './move-list.js';
import { KIND_LABELS, MOVES_PATH, STATES } from './move.page.js';
import { StorageStrip, type ShownStorage } from './storage-strip.js';

interface MovesPageProps {
  csrfToken: string;
  listing: MoveListing;
  storages: ShownStorage[];
}

/** The moves of repositories between storages. */
export function MovesPage({ csrfToken, listing, storages }: MovesPageProps): VNode {
  const { query, open } = listing;
  return (
    <>
      <PageHeader
        title="Storage moves"
        state={<OpenCount open={open} />}
        description="Repositories are read-only while they move."
        actions={
          <>
            <ButtonLink href={`${MOVES_PATH}/bulk`} variant="outline">
              Drain storage
            </ButtonLink>
            <ButtonLink href={`${MOVES_PATH}/new`}>New move</ButtonLink>
          </>
        }
      />
      <Filters query={query} storages={storages.map(({ name }) => name)} />
      <StorageStrip storages={storages} />
      <MoveList {...listing} csrfToken={csrfToken} />
    </>
  );
}

function Filters({
  query,
  storages,
}: Pick<MoveListing, 'query'> & { storages: readonly string[] }): VNode {
  const options = storages.map((name) => ({ value: name, label: name }));
  const kinds = [
    { value: '', label: 'All types' },
    ...MOVE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
  ];
  const states = [
    { value: '', label: 'Any state' },
    ...MOVE_STATES.map((state) => ({ value: state, label: STATES[state].label })),
  ];
  return (
    <FilterForm action={MOVES_PATH} label="Filter moves">
      <SelectField name="kind" label="Type" options={kinds} value={query.kind} bare />
      <SelectField name="state" label="State" options={states} value={query.state} bare />
      <SelectField
        name="source_storage_name"
        label="From"
        options={[{ value: '', label: 'From any storage' }, ...options]}
        value={query.source_storage_name}
        bare
      />
      <SelectField
        name="destination_storage_name"
        label="To"
        options={[{ value: '', label: 'To any storage' }, ...options]}
        value={query.destination_storage_name}
        bare
      />
      <Button variant="outline">Apply</Button>
    </FilterForm>
  );
}
