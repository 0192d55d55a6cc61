import type { VNode } from 'preact';
import { Button } from '../../../../core/ui/components/button.js';
import { Form } from '../../../../core/ui/components/form.js';
import type { ErrorStatus } from '../../../error-values.js';
import { errorsAddress, type ErrorsQuery, type ErrorTab } from './errors-query.js';

/** Fields of the rows name it. */
export const BULK_FORM = 'change-errors';

const STEPS: Record<ErrorStatus, string> = {
  resolved: 'Resolve',
  ignored: 'Ignore',
  unresolved: 'Unresolve',
};

const STEPS_OF_TAB: Record<ErrorTab, ErrorStatus[]> = {
  unresolved: ['resolved', 'ignored'],
  resolved: ['unresolved', 'ignored'],
  ignored: ['unresolved', 'resolved'],
  all: ['resolved', 'ignored', 'unresolved'],
};

interface ErrorBulkBarProps {
  /** Of the list. */
  path: string;
  query: ErrorsQuery;
  page: number;
  csrfToken: string;
  /** Errors that the page shows. */
  shown: readonly number[];
}

/** Changes the state of the errors that are ticked, or of all that the page shows. */
export function ErrorBulkBar({ path, query, page, csrfToken, shown }: ErrorBulkBarProps): VNode {
  return (
    <Form
      action={`${path}/status`}
      csrfToken={csrfToken}
      label="Change several errors"
      class="flex flex-wrap items-center gap-3 border-b px-4 py-3"
      id={BULK_FORM}
    >
      <input type="hidden" name="back" value={errorsAddress('', { ...query, page }).slice(1)} />
      <input type="hidden" name="shown" value={shown.join(',')} />
      <div id="tick-all" hx-morph-skip="true" class="flex items-center gap-2">
        <input type="checkbox" id="all-shown" name="all" value="true" />
        <label for="all-shown" class="text-sm">
          All on this page
        </label>
      </div>
      {STEPS_OF_TAB[query.status].map((status) => (
        <Button key={status} variant="outline" size="small" name="status" value={status}>
          {STEPS[status]}
        </Button>
      ))}
    </Form>
  );
}
