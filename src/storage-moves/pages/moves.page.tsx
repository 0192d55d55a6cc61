import type { VNode } from 'preact';
import { ButtonLink } from '../../core/ui/components/button.js';
import { PageHeader } from '../../core/ui/components/content.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';
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
  const kinds = MOVE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }));
  const states = MOVE_STATES.map((state) => ({ value: state, label: STATES[state].label }));
  return (
    <FilterBar
      path={MOVES_PATH}
      search={false}
      fields={[
        { name: 'kind', label: 'Type', value: query.kind, options: kinds },
        { name: 'state', label: 'State', value: query.state, options: states },
        { name: 'source_storage_name', label: 'From', value: query.source_storage_name, options },
        {
          name: 'destination_storage_name',
          label: 'To',
          value: query.destination_storage_name,
          options,
        },
      ]}
    />
  );
}
