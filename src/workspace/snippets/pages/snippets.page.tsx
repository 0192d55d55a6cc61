import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import type { SnippetRow } from '../snippets.repository.js';
import type { SnippetPageContext } from './snippet-page-context.js';

interface SnippetsPageProps {
  context: SnippetPageContext;
  page: Page<SnippetRow>;
  paging: { page: number; perPage: number };
}

const COLUMNS = [
  { label: 'Snippet' },
  { label: 'Visibility' },
  { label: 'Author' },
  { label: 'Files', align: 'end' as const },
  { label: 'Changed' },
];

/** The viewer's snippets, or those of a project. */
export function SnippetsPage({ context, page, paging }: SnippetsPageProps): VNode {
  const create = context.mayCreate && (
    <ButtonLink href={`${context.path}/new`}>New snippet</ButtonLink>
  );
  const title = context.projectId === null ? 'Your snippets' : 'Snippets';
  return (
    <>
      <PageHeader {...{ title, actions: create }} />
      {page.items.length === 0 ? (
        <EmptyState title="No snippets yet" action={create || undefined}>
          Share pieces of code or text. Each snippet is a Git repository.
        </EmptyState>
      ) : (
        <SnippetTable snippets={page.items} />
      )}
      <Pagination page={page} paging={paging} path={context.path} />
    </>
  );
}

/** Snippets in a table. */
export function SnippetTable({ snippets }: { snippets: SnippetRow[] }): VNode {
  return (
    <Card flush>
      <Table caption="Snippets" columns={COLUMNS} stacked>
        {snippets.map((snippet) => (
          <tr key={snippet.id}>
            <Cell lead>
              <a href={addressOf(snippet)}>{snippet.title}</a>
              {snippet.projectFullPath !== null && <small>{snippet.projectFullPath}</small>}
            </Cell>
            <Cell>
              <VisibilityBadge level={snippet.visibility} />
            </Cell>
            <Cell>
              <a href={`/${snippet.authorUsername}`}>{snippet.authorName}</a>
            </Cell>
            <Cell align="end" label="Files">
              {snippet.filePaths.length}
            </Cell>
            <Cell label="Updated">
              <Time value={snippet.updatedAt} />
            </Cell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** The address of a snippet's page. */
export function addressOf({
  id,
  projectFullPath,
}: Pick<SnippetRow, 'id' | 'projectFullPath'>): string {
  return `${projectFullPath === null ? '' : `/${projectFullPath}`}/-/snippets/${id}`;
}
