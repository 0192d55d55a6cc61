import type { VNode } from 'preact';
import { encodePath } from '../../../core/http/encode-path.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy-field.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import { mayChange } from '../snippet-access.js';
import { presentSnippetLinks, SNIPPET_BRANCH } from '../snippet.presenter.js';
import type { FoundSnippet } from '../snippets.repository.js';
import type { ShownFile } from './shown-files.service.js';
import type { SnippetPageContext } from './snippet-page-context.js';

interface SnippetPageProps {
  pageContext: PageContext;
  place: SnippetPageContext;
  snippet: FoundSnippet;
  files: ShownFile[];
  discussion: VNode | undefined;
}

/** A snippet with its files. */
export function SnippetPage(props: SnippetPageProps): VNode {
  const { pageContext, place, snippet, files, discussion } = props;
  const path = `${place.path}/${snippet.id}`;
  const { http_url_to_repo: cloneUrl } = presentSnippetLinks(snippet, pageContext.baseUrl);
  const isMine = pageContext.viewer !== null && mayChange(snippet, pageContext.viewer);
  const actions = isMine && <Actions pageContext={pageContext} snippet={snippet} path={path} />;
  return place.frame(
    { title: snippet.title, description: <Summary snippet={snippet} />, actions },
    <>
      {snippet.description && <p class="whitespace-pre-wrap">{snippet.description}</p>}
      {files.length === 0 && <EmptyState title="This snippet has no files" />}
      {files.map((file) => (
        <FileView key={file.path} file={file} path={path} />
      ))}
      {cloneUrl !== undefined && (
        <Card title="Clone">
          <CopyField label="HTTP address" value={cloneUrl} />
        </Card>
      )}
      {discussion}
    </>,
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
      <ConfirmButton
        label="Delete"
        question={`The snippet ${snippet.title} and its repository will be gone for good.`}
        confirm="Delete snippet"
        action={`${path}/delete`}
        csrfToken={pageContext.csrfToken}
      />
    </>
  );
}

interface FileViewProps {
  file: ShownFile;
  /** Address of the snippet. */
  path: string;
}

/** A file with its lines numbered by the style sheet, so that copying takes the text alone. */
function FileView({ file, path }: FileViewProps): VNode {
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
          This file cannot be shown here: it is no text, or too long.
        </p>
      ) : (
        <Lines text={file.text} label={file.path} />
      )}
    </Card>
  );
}

const NUMBERED =
  '[counter-reset:line] *:block *:before:[counter-increment:line] *:before:content-[counter(line)] *:before:inline-block *:before:w-12 *:before:pr-4 *:before:text-right *:before:text-muted-foreground *:before:select-none';

function Lines({ text, label }: { text: string; label: string }): VNode {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <pre
      class="overflow-x-auto py-3 text-[0.8125rem]/5"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <code class={NUMBERED}>
        {lines.map((line, at) => (
          <span key={at}>{`${line}\n`}</span>
        ))}
      </code>
    </pre>
  );
}
