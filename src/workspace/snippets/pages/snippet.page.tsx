import type { VNode } from 'preact';
import { encodePath } from '../../../core/ui/addresses.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { CodeLines } from '../../../core/ui/components/code.js';
import { CopyField } from '../../../core/ui/components/copy.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import { mayChange } from '../snippet-access.js';
import { presentSnippetLinks, SNIPPET_BRANCH } from '../snippet.presenter.js';
import type { FoundSnippet } from '../snippets.repository.js';
import type { ShownFile } from '../snippet-content.service.js';
import type { SnippetPageContext } from './snippet-page-context.js';

interface SnippetPageProps {
  pageContext: PageContext;
  context: SnippetPageContext;
  snippet: FoundSnippet;
  files: ShownFile[];
  discussion: VNode | undefined;
}

/** A snippet with its files. */
export function SnippetPage(props: SnippetPageProps): VNode {
  const { pageContext, context, snippet, files, discussion } = props;
  const path = `${context.path}/${snippet.id}`;
  const { http_url_to_repo: cloneUrl } = presentSnippetLinks(snippet, pageContext.baseUrl);
  const isMine = pageContext.viewer !== null && mayChange(snippet, pageContext.viewer);
  const actions = isMine && <Actions pageContext={pageContext} snippet={snippet} path={path} />;
  return (
    <>
      <PageHeader
        {...{ title: snippet.title, description: <Summary snippet={snippet} />, actions }}
      />

      {snippet.description && <Markdown text={snippet.description} />}
      {files.length === 0 && <EmptyState title="This snippet has no files" />}
      {files.map((file, at) => (
        <FileView
          key={file.path}
          file={file}
          path={path}
          prefix={files.length === 1 ? '' : `file-${at + 1}-`}
        />
      ))}
      {cloneUrl !== undefined && (
        <Card title="Clone">
          <CopyField label="Clone with HTTPS" value={cloneUrl} />
        </Card>
      )}
      {discussion}
    </>
  );
}

function Summary({ snippet }: { snippet: FoundSnippet }): VNode {
  return (
    <span class="inline-flex flex-wrap items-center gap-2">
      <VisibilityBadge level={snippet.visibility} />
      <span>
        {'by '}
        <a href={`/${snippet.authorUsername}`}>{snippet.authorName}</a>
        {', changed '}
        <Time value={snippet.updatedAt} />
      </span>
    </span>
  );
}

function Actions({
  pageContext,
  snippet,
  path,
}: Pick<SnippetPageProps, 'pageContext' | 'snippet'> & { path: string }): VNode {
  return (
    <>
      <ButtonLink href={`${path}/edit`} variant="outline">
        Edit
      </ButtonLink>
      {pageContext.viewer?.admin === true && (
        <ButtonLink
          href={`/admin/storage_moves/new?kind=snippet&container=${snippet.id}`}
          variant="outline"
        >
          Move
        </ButtonLink>
      )}
      <OverflowMenu of="snippet">
        <ConfirmButton
          label="Delete"
          title={`Delete snippet “${snippet.title}”?`}
          question={`This permanently deletes the snippet ${snippet.title} and its repository.`}
          confirm="Delete snippet"
          action={`${path}/delete`}
          csrfToken={pageContext.csrfToken}
        />
      </OverflowMenu>
    </>
  );
}

interface FileViewProps {
  file: ShownFile;
  /** Address of the snippet. */
  path: string;
  /** Of the IDs of its lines. */
  prefix: string;
}

/** A file of the snippet line by line. */
function FileView({ file, path, prefix }: FileViewProps): VNode {
  const raw = (
    <ButtonLink
      href={`${path}/raw/${SNIPPET_BRANCH}/${encodePath(file.path)}`}
      variant="outline"
      size="small"
    >
      Raw
    </ButtonLink>
  );
  return (
    <Card title={file.path} actions={raw} flush>
      {file.text === null ? (
        <p class="text-muted-foreground p-4">
          Preview not available: the file is binary or too large.
        </p>
      ) : (
        <CodeLines
          text={file.text.replace(/\n$/, '')}
          name={file.path}
          label={file.path}
          prefix={prefix}
        />
      )}
    </Card>
  );
}
