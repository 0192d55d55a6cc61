import type { VNode } from 'preact';
import { filledAddress } from '../addresses.js';
import { Button } from './button.js';
import { SelectField, type Choice } from './choice-fields.js';
import { Icon } from './icon.js';
import { SavedViews, SavedViewsButton } from './saved-views.js';
import { TextField } from './text-field.js';

/** An attribute that a list can be filtered by. */
interface FilterField {
  /** The parameter; also the name in typed terms, `label:bug`. */
  name: string;
  label: string;
  value: string | null | undefined;
  /** All values, where there are few; without the empty one. */
  options?: readonly Choice[];
  type?: 'date' | 'number';
  /** Address of suggestions while typing (`Suggestions`). */
  source?: string | undefined;
  /** Several values with commas between. */
  isList?: boolean;
  placeholder?: string;
  /** Regular expression that the browser checks. */
  pattern?: string;
  /** Why the value is refused. */
  errors?: string[] | undefined;
}

interface FilterBarProps {
  /** Address of the list. */
  path: string;
  /** False for lists without a text search. */
  search: string | false | null | undefined;
  /** Attributes that the text is searched in; also the accessible name of its field. */
  searchLabel?: string;
  /** Name of the form for assistive technology. */
  label?: string;
  fields?: readonly FilterField[];
  sort?: { name: string; options: readonly Choice[]; value: string | null | undefined };
  /** The project whose list it is, for lists whose filters can be saved. */
  projectId?: number;
  /** Parameters that stay: the state of the tabs. */
  kept?: Readonly<Record<string, string | null | undefined>>;
}

/**
 * Filters of a list in one line, below its tabs: a panel with a field for each attribute, a chip for
 * each filter, a text, the order. A plain GET form; a script applies changes at once and suggests
 * values.
 */
export function FilterBar(props: FilterBarProps): VNode {
  const { path, search, fields = [], sort, projectId, kept = {}, label = 'Filters' } = props;
  const query = {
    ...kept,
    search: search === false ? null : search,
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    ...(sort && { [sort.name]: sort.value }),
  };
  const bar = (
    <form class="filter-bar" action={path} aria-label={label}>
      {Object.entries(kept).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {fields.length === 0 ? (
        <Icon name="search" />
      ) : (
        <Panel fields={fields} hasText={search !== false} />
      )}
      {fields.flatMap((field) =>
        chipsOf(field, (value) => ({ ...query, [field.name]: value }), path),
      )}
      {search !== false && <SearchField {...props} search={search} fields={fields} />}
      <noscript>
        <Button variant="outline" size="small">
          Apply
        </Button>
      </noscript>
      {sort !== undefined && <Sort {...sort} />}
      {projectId !== undefined && <SavedViewsButton />}
    </form>
  );
  if (projectId === undefined) return bar;
  const saved = filledAddress('', query).slice(1);
  return (
    <>
      {bar}
      <SavedViews projectId={projectId} path={path} query={saved} />
    </>
  );
}

interface SearchFieldProps extends Pick<FilterBarProps, 'searchLabel'> {
  search: string | null | undefined;
  fields: readonly FilterField[];
}

function SearchField({ search, searchLabel, fields }: SearchFieldProps): VNode {
  const sources = fields.flatMap(({ name, source }) => (source ? [[name, source]] : []));
  return (
    <span class="suggesting">
      <input
        type="search"
        name="search"
        value={search ?? ''}
        placeholder={searchLabel ?? 'Filter…'}
        aria-label={searchLabel ?? 'Search'}
        autocomplete="off"
        data-terms={sources.length > 0 ? JSON.stringify(Object.fromEntries(sources)) : undefined}
      />
    </span>
  );
}

interface PanelProps {
  fields: readonly FilterField[];
  hasText: boolean;
}

/** The button names itself where there is no field for a text beside it. */
function Panel({ fields, hasText }: PanelProps): VNode {
  return (
    <>
      <button
        type="button"
        class={hasText ? 'icon-button' : 'filter-button'}
        popovertarget="filters"
        title="Filters"
        aria-label="Filters"
      >
        <Icon name="list-filter" />
        {!hasText && 'Filters'}
      </button>
      <div class="filter-panel" id="filters" popover="auto">
        {fields.map((field) => (
          <FilterControl key={field.name} field={field} />
        ))}
        <Button>Apply</Button>
      </div>
    </>
  );
}

function FilterControl({ field }: { field: FilterField }): VNode {
  const { options, ...rest } = field;
  if (options === undefined) return <TextField {...rest} bare />;
  const choices = [{ value: '', label: 'Any' }, ...options];
  return (
    <SelectField
      name={field.name}
      label={field.label}
      options={choices}
      value={field.value}
      errors={field.errors}
      bare
    />
  );
}

/** Each leads to the list without it. */
function chipsOf(
  { name, label, value, options, isList }: FilterField,
  queryWith: (value: string) => Record<string, string | null | undefined>,
  path: string,
): VNode[] {
  const values = (isList === true ? (value ?? '').split(',') : [value ?? ''])
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return values.map((one) => {
    const text = options?.find((option) => option.value === one)?.label ?? one;
    const others = values.filter((other) => other !== one).join(',');
    const attribute = label.charAt(0).toLowerCase() + label.slice(1);
    const title = `Remove filter: ${attribute} ${text}`;
    return (
      <a
        key={`${name}:${one}`}
        class="filter-chip"
        href={filledAddress(path, queryWith(others))}
        aria-label={title}
        title={title}
      >
        <span>{attribute}</span> {text} <Icon name="x" />
      </a>
    );
  });
}

function Sort({ name, options, value }: NonNullable<FilterBarProps['sort']>): VNode {
  return (
    <select name={name} aria-label="Sort by">
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
