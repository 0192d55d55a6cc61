import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form } from '../../core/ui/components/form.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import { MOVE_KINDS, MOVE_STATES } from '../move-kinds.js';
import { MoveList, type MoveListing, MOVES_PATH } from './move-list.js';
import { MovesChart } from './moves-chart.js';
import type { MovesOfDay } from '../move-statistics.repository.js';
import { KIND_LABELS, STATES } from './shown-move.js';

interface MovesPageProps {
  csrfToken: string;
  listing: MoveListing;
  days: MovesOfDay[];
  storages: readonly string[];
}

/** The moves of repositories between storages. */
export function MovesPage({ csrfToken, listing, days, storages }: MovesPageProps): VNode {
  const { query } = listing;
  return (
    <AdminSection current="moves">
      <PageHeader
        title="Storage moves"
        description="What is moved is read-only until the move ends; nothing else has to wait."
        actions={
          <>
            <ButtonLink href={`${MOVES_PATH}/new`}>Schedule a move</ButtonLink>
            <ButtonLink href={`${MOVES_PATH}/bulk`} variant="outline">
              Empty a storage
            </ButtonLink>
          </>
        }
      />
      <Tabs
        label="Kinds of moves"
        items={MOVE_KINDS.map((kind) => ({
          label: KIND_LABELS[kind],
          href: `${MOVES_PATH}?kind=${kind}`,
        }))}
        current={`${MOVES_PATH}?kind=${query.kind}`}
      />
      <Filters query={query} storages={storages} />
      <MoveList {...listing} csrfToken={csrfToken} />
      <Card title="Moves per day">
        <MovesChart days={days} />
      </Card>
    </AdminSection>
  );
}

function Filters({
  query,
  storages,
}: Pick<MoveListing, 'query'> & { storages: readonly string[] }) {
  const places = [
    { value: '', label: 'Any storage' },
    ...storages.map((name) => ({ value: name, label: name })),
  ];
  const states = [
    { value: '', label: 'Any state' },
    ...MOVE_STATES.map((state) => ({ value: state, label: STATES[state].label })),
  ];
  return (
    <Form action={MOVES_PATH} method="get" label="Filter moves" class="filters">
      <input type="hidden" name="kind" value={query.kind} />
      <SelectField name="state" label="State" options={states} value={query.state} bare />
      <SelectField
        name="source_storage_name"
        label="From"
        options={places}
        value={query.source_storage_name}
        bare
      />
      <SelectField
        name="destination_storage_name"
        label="To"
        options={places}
        value={query.destination_storage_name}
        bare
      />
      <Button variant="outline">Filter</Button>
    </Form>
  );
}
