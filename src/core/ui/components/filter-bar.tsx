import type { VNode } from 'preact';
import { filledAddress } from '../filled-address.js';
import { Button } from './button.js';
import { SelectField, type Choice } from './choice-fields.js';
import { Icon } from './icon.js';
import { TextField } from './text-field.js';

/** An attribute that a list can be filtered by. */
export interface FilterField {
  /** The parameter; also the name in typed terms, `label:bug`. */
  name: string;
  label: string;
  value: string | null | undefined;
  /** All values, where there are few; without the empty one. */
  options?: readonly Choice[];
  /** Address of suggestions while typing (`Suggestions`). */
  source?: string | undefined;
  /** Several values with commas between. */
  isList?: boolean;
  placeholder?: string;
  /** Regular expression that the browser checks. */
  pattern?: string;
}

interface FilterBarProps {
  /** Address of the list. */
  path: string;
  search: string | null | undefined;
  fields: readonly FilterField[];
  sort?: { name: string; options: readonly Choice[]; value: string | null | undefined };
  /** Parameters that stay: the state of the tabs. */
  kept?: Readonly<Record<string, string | null | undefined>>;
}

/**
 * Filters of a list in one line: a text, a chip for each filter, a panel with a field for each
 * attribute. A plain GET form; a script applies changes at once and suggests values.
 */
export function FilterBar({ path, search, fields, sort, kept = {} }: FilterBarProps): VNode {
  const query = {
    ...kept,
    search,
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    ...(sort && { [sort.name]: sort.value }),
  };
  const sources = fields.flatMap(({ name, source }) => (source ? [[name, source]] : []));
  return (
    <form class="filter-bar" action={path} aria-label="Filters">
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ''} />
      ))}
      {fields.length > 0 && <Panel fields={fields} />}
      {fields.flatMap((field) =>
        chipsOf(field, (value) => ({ ...query, [field.name]: value }), path),
      )}
      <span class="suggesting">
        <input
          type="search"
          name="search"
          value={search ?? ''}
          placeholder="Filter…"
          aria-label="Search"
          autocomplete="off"
          data-terms={sources.length > 0 ? JSON.stringify(Object.fromEntries(sources)) : undefined}
        />
      </span>
      <noscript>
        <Button variant="outline" size="small">
          Apply
        </Button>
      </noscript>
      {sort !== undefined && <Sort {...sort} />}
    </form>
  );
}

function Panel({ fields }: Pick<FilterBarProps, 'fields'>): VNode {
  return (
    <>
      <button
        type="button"
        class="icon-button"
        popovertarget="filters"
        title="Filters"
        aria-label="Filters"
      >
        <Icon name="list-filter" />
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
  const { name, label, value, options, source, isList, placeholder, pattern } = field;
  if (options !== undefined) {
    const choices = [{ value: '', label: 'Any' }, ...options];
    return <SelectField name={name} label={label} options={choices} value={value} bare />;
  }
  const checks = { ...(pattern !== undefined && { pattern }) };
  const more = { ...(placeholder !== undefined && { placeholder }), ...checks, source, isList };
  return <TextField name={name} label={label} value={value} bare {...more} />;
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
    const title = `Remove filter: ${label.toLowerCase()} ${text}`;
    return (
      <a
        key={`${name}:${one}`}
        class="filter-chip"
        href={filledAddress(path, queryWith(others))}
        aria-label={title}
        title={title}
      >
        <span>{label.toLowerCase()}</span> {text} <Icon name="x" />
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
