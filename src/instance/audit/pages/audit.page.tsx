import type { VNode } from 'preact';
import { AUDITED_ENTITIES } from '../../../core/audit/audit.service.js';
import type { Page } from '../../../core/pagination/page.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form } from '../../../core/ui/components/form.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given } from '../../../core/ui/form-input.decorator.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { AdminSection } from '../../../core/ui/sections/admin.js';
import type { AuditEventResponse } from '../audit-event.presenter.js';
import { AuditTable } from './audit-table.js';

const PATH = '/admin/audit_logs';
const FILTERS = ['created_after', 'created_before', 'entity_type', 'entity_id', 'author'] as const;

const ENTITY_TYPES = [
  { value: '', label: 'Everything' },
  ...AUDITED_ENTITIES.map((type) => ({
    value: type,
    label: type === 'Instance' ? 'The instance' : `${type}s`,
  })),
];

interface AuditPageProps {
  events: Page<AuditEventResponse>;
  /** The filters as they came. */
  query: Record<string, unknown>;
  paging: { page: number; perPage: number };
  errors: FormProblems | null;
}

/** Audit log: actor, event, time and IP address. */
export function AuditPage({ events, query, paging, errors }: AuditPageProps): VNode {
  const values = Object.fromEntries(FILTERS.map((name) => [name, given(query, name)]));
  return (
    <AdminSection current="audit">
      <PageHeader
        title="Audit log"
        description="Who did what, when and from where. Entries are never changed."
      />
      <FormErrors errors={errors} />
      <Filters values={values} errors={errors} />
      {events.items.length === 0 ? (
        <EmptyState title="Nothing happened">No entry matches what you asked for.</EmptyState>
      ) : (
        <AuditTable events={events.items} />
      )}
      <Pagination page={events} paging={paging} path={PATH} query={values} />
    </AdminSection>
  );
}

interface FiltersProps {
  values: Record<string, string>;
  errors: FormProblems | null;
}

function Filters({ values, errors }: FiltersProps): VNode {
  const field = (name: (typeof FILTERS)[number]) => ({
    name,
    value: values[name],
    errors: errors?.fields[name],
    bare: true,
  });
  return (
    <Form
      action={PATH}
      method="get"
      label="Filter the audit log"
      class="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-3"
    >
      <TextField label="From (UTC)" type="date" {...field('created_after')} />
      <TextField label="Before (UTC)" type="date" {...field('created_before')} />
      <TextField label="Done by (username)" {...field('author')} autocomplete="off" />
      <SelectField label="Trail of" options={ENTITY_TYPES} {...field('entity_type')} />
      <TextField label="Id of user, group or project" type="number" {...field('entity_id')} />
      <div class="flex gap-2">
        <Button variant="outline">Filter</Button>
        <ButtonLink href={PATH} variant="ghost">
          Clear
        </ButtonLink>
      </div>
    </Form>
  );
}
