import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../../core/ui/components/choice-fields.js';
import { Form } from '../../../../core/ui/components/form.js';
import { TextField } from '../../../../core/ui/components/text-field.js';
import { ERROR_SORTS } from '../../../sql/error-list.js';
import { isNarrowed, LIST_ORDERS, type ErrorsQuery } from './errors-query.js';

/** Values that the filters offer. */
export interface KnownValues {
  environments: string[];
  releases: string[];
}

interface ErrorListFiltersProps {
  path: string;
  query: ErrorsQuery;
  known: KnownValues;
}

const ORDERS = ERROR_SORTS.map((value) => ({ value, label: LIST_ORDERS[value] }));

/** Filters of the list; reloads the page. */
export function ErrorListFilters({ path, query, known }: ErrorListFiltersProps): VNode {
  const { status, search, environment, release, tag, sort } = query;
  const environments = choicesOf('Any environment', known.environments, environment);
  const releases = choicesOf('Any release', known.releases, release);
  return (
    <Form
      action={path}
      method="get"
      label="Filter errors"
      class="filters [&>.field]:w-[calc(50%-0.375rem)] sm:[&>.field]:w-44"
    >
      <input type="hidden" name="status" value={status} />
      <TextField
        type="search"
        name="search"
        label="Search"
        placeholder="Type, message, function"
        value={search}
        maxLength={200}
        bare
      />
      <SelectField
        name="environment"
        label="Environment"
        options={environments}
        value={environment}
        bare
      />
      <SelectField name="release" label="Release" options={releases} value={release} bare />
      <TextField
        name="tag"
        label="Tag"
        placeholder="browser.name:Firefox"
        value={tag}
        pattern="[^:]+:.*"
        maxLength={240}
        bare
      />
      <SelectField name="sort" label="Order" options={ORDERS} value={sort} bare />
      <Button variant="outline">Filter</Button>
      {isNarrowed(query) && (
        <ButtonLink href={`${path}?status=${status}`} variant="ghost">
          Clear filters
        </ButtonLink>
      )}
    </Form>
  );
}

/** No narrowing, and the known values; the chosen one is offered even if it is no longer known. */
function choicesOf(none: string, known: readonly string[], chosen: string): Choice[] {
  const values = chosen === '' || known.includes(chosen) ? known : [chosen, ...known];
  return [{ value: '', label: none }, ...values.map((value) => ({ value, label: value }))];
}
