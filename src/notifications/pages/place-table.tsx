import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { Badge, Card } from '../../core/ui/components/content.js';
import { Form } from '../../core/ui/components/form.js';
import { ActionsCell, Cell, Table } from '../../core/ui/components/table.js';
import { levelName } from '../settings/notification-setting.presenter.js';
import { placePath } from './addresses.js';
import { placeLevelChoices } from './level-names.js';
import type { NotifiedPageContext } from '../settings/notification-settings.repository.js';

interface PlaceTableProps {
  places: NotifiedPageContext[];
  levelEverywhere: number;
  csrfToken: string;
  /** List query, to return to the same page. */
  query: { search: string; page: number };
}

const COLUMNS = [
  { label: 'Group or project' },
  { label: 'Level' },
  { label: 'Actions', hidden: true },
];

/** Groups and projects, the level of each to be changed in its row. */
export function PlaceTable({ places, ...rest }: PlaceTableProps): VNode {
  return (
    <Card flush>
      <Table caption="Groups and projects" columns={COLUMNS}>
        {places.map((place) => (
          <PlaceRow key={`${place.kind}${place.id}`} place={place} {...rest} />
        ))}
      </Table>
    </Card>
  );
}

type PlaceRowProps = Omit<PlaceTableProps, 'places'> & { place: NotifiedPageContext };

function PlaceRow({ place, ...rest }: PlaceRowProps): VNode {
  const { kind, fullPath, fullName } = place;
  return (
    <tr>
      <Cell wrap>
        <span class="inline-flex flex-wrap items-center gap-2">
          <a href={`${kind === 'group' ? '/groups/' : '/'}${fullPath}`}>{fullName}</a>
          {kind === 'group' && <Badge>Group</Badge>}
        </span>
      </Cell>
      <Cell>
        <LevelForm place={place} {...rest} />
      </Cell>
      <ActionsCell>
        <ButtonLink href={placePath(place)} variant="ghost" size="small">
          Details<span class="sr-only"> of {fullName}</span>
        </ButtonLink>
      </ActionsCell>
    </tr>
  );
}

function LevelForm({ place, levelEverywhere, csrfToken, query }: PlaceRowProps): VNode {
  const id = `level-${place.kind}-${place.id}`;
  const current = levelName(place.level);
  const choices = placeLevelChoices({ levelAbove: place.levelAbove, levelEverywhere });
  return (
    <Form action={placePath(place)} csrfToken={csrfToken} class="flex flex-wrap items-center gap-2">
      <input type="hidden" name="list_search" value={query.search} />
      <input type="hidden" name="list_page" value={query.page} />
      <label class="sr-only" for={id}>
        Level of {place.fullName}
      </label>
      <select class="control flex-1 min-w-36" id={id} name="level">
        {choices.map(({ value, label }) => (
          <option key={value} value={value} selected={value === current}>
            {label}
          </option>
        ))}
      </select>
      <Button variant="outline" size="small">
        Save<span class="sr-only"> level of {place.fullName}</span>
      </Button>
    </Form>
  );
}
