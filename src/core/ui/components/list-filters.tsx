import type { VNode } from 'preact';
import { Button } from './button.js';
import { SelectField, type Choice } from './choice-fields.js';
import { FilterForm } from './filter-form.js';
import { TextField } from './text-field.js';

interface ListFiltersProps {
  path: string;
  /** Name of the form for assistive technology. */
  label: string;
  search: string;
  /** Orders to choose from, by the value of the parameter `sort`. */
  orders: Choice[];
  order: string;
}

/** A search field and the order of a list; works by reloading the page. */
export function ListFilters({ path, label, search, orders, order }: ListFiltersProps): VNode {
  return (
    <FilterForm action={path} label={label}>
      <TextField type="search" name="search" label="Search" value={search} bare />
      <SelectField name="sort" label="Order" options={orders} value={order} bare />
      <Button variant="outline">Apply</Button>
    </FilterForm>
  );
}
