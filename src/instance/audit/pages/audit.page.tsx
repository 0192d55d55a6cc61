import type { VNode } from 'preact';
import { AUDITED_ENTITIES } from '../../../core/audit/audit.service.js';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { AuditEventResponse } from '../audit-event.presenter.js';
import { AuditTable } from './audit-table.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';

export const ADMIN_AUDIT_PATH = '/admin/audit_logs';

const OWN_FILTERS = ['created_after', 'created_before', 'author'] as const;
const FILTERS = ['created_after', 'created_before', 'entity_type', 'entity_id', 'author'] as const;
type FilterName = (typeof FILTERS)[number];

const ENTITY_TYPES = AUDITED_ENTITIES.map((type) => ({
  value: type,
  label: type === 'Instance' ? 'Instance' : `${type}s`,
}));

interface AuditPageProps {
  /** Address of the page. */
  path: string;
  /** The project or group of the log; null for the log of the whole instance. */
  container: { kind: 'project' | 'group'; id: number } | null;
  /** Offers the filtered log as CSV. */
  isExported: boolean;
  events: Page<AuditEventResponse>;
  /** The filters as sent. */
  query: Record<string, unknown>;
  paging: { page: number; perPage: number };
  errors: FormProblems | null;
}

/** Audit log: actor, event, time and IP address. */
export function AuditPage(props: AuditPageProps): VNode {
  const { path, container, isExported, events, query, paging, errors } = props;
  const names: readonly FilterName[] = container === null ? FILTERS : OWN_FILTERS;
  const values = Object.fromEntries(names.map((name) => [name, given(query, name)]));
  return (
    <>
      <PageHeader
        title="Audit log"
        description={
          container === null
            ? 'Security-relevant changes by actor, time and IP address. Entries are immutable.'
            : `Security-relevant changes of this ${container.kind}. Entries are immutable.`
        }
        actions={
          isExported ? (
            <ButtonLink href={exportAddress(container, values)} variant="outline">
              Export CSV
            </ButtonLink>
          ) : undefined
        }
      />
      <FormErrors errors={errors} />
      <Filters path={path} values={values} errors={errors} isInstance={container === null} />
      {events.items.length === 0 ? (
        <EmptyState title="No matching events">Try other filters.</EmptyState>
      ) : (
        <AuditTable events={events.items} />
      )}
      <Pagination page={events} paging={paging} path={path} query={values} />
    </>
  );
}

function exportAddress(
  container: AuditPageProps['container'],
  values: Record<string, string>,
): string {
  const entity =
    container === null
      ? {}
      : {
          entity_type: container.kind === 'group' ? 'Group' : 'Project',
          entity_id: container.id,
        };
  return filledAddress(`${ADMIN_AUDIT_PATH}/export`, { ...values, ...entity });
}

interface FiltersProps {
  path: string;
  values: Record<string, string>;
  errors: FormProblems | null;
  /** Filters by user, group or project as well. */
  isInstance: boolean;
}

function Filters({ path, values, errors, isInstance }: FiltersProps): VNode {
  const field = (name: FilterName, label: string) => ({
    name,
    label,
    value: values[name],
    errors: errors?.fields[name],
  });
  const ofInstance = [
    { ...field('entity_type', 'Scope'), options: ENTITY_TYPES },
    { ...field('entity_id', 'User, group or project ID'), type: 'number' as const },
  ];
  return (
    <FilterBar
      path={path}
      search={false}
      fields={[
        { ...field('created_after', 'From (UTC)'), type: 'date' },
        { ...field('created_before', 'Until (UTC)'), type: 'date' },
        field('author', 'Actor (username)'),
        ...(isInstance ? ofInstance : []),
      ]}
    />
  );
}
